"use server";

import { decideMerchantSchema } from "@/lib/domain/merchant";
import { action } from "@/lib/http/action";
import { decideMerchant } from "@/lib/merchants/decide-merchant";

export const decideMerchantAction = action(decideMerchantSchema, decideMerchant);
