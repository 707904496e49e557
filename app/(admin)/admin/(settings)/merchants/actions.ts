"use server";

import { action } from "@/lib/api/action";
import { decideMerchant, decideProfile, suspendMerchant } from "@/lib/merchants/decide-merchant";

export const decideMerchantAction = action(decideMerchant);
export const decideProfileAction = action(decideProfile);
export const suspendMerchantAction = action(suspendMerchant);
