"use server";

import { action } from "@/lib/api/action";
import { signUpMerchant } from "@/lib/merchants/sign-up-merchant";

export const signUpMerchantAction = action(signUpMerchant);
