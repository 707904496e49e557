"use server";

import { action } from "@/lib/api/action";
import { decideMerchant } from "@/lib/merchants/decide-merchant";
import { decideProfile } from "@/lib/merchants/decide-profile";
import { suspendMerchant } from "@/lib/merchants/suspend-merchant";

export const decideMerchantAction = action(decideMerchant);
export const decideProfileAction = action(decideProfile);
export const suspendMerchantAction = action(suspendMerchant);
