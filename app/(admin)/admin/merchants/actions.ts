"use server";

import { action } from "@/lib/http/action";
import { decideMerchant } from "@/lib/merchants/decide-merchant";
import { suspendMerchant } from "@/lib/merchants/suspend-merchant";

export const decideMerchantAction = action(decideMerchant);
export const suspendMerchantAction = action(suspendMerchant);
