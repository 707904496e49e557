"use server";

import { action } from "@/lib/http/action";
import { decideMerchant } from "@/lib/merchants/decide-merchant";

export const decideMerchantAction = action(decideMerchant);
