"use server";

import { changeAdmin, inviteAdmin } from "@/lib/accounts/admins";
import { action } from "@/lib/api/action";
import { decideMerchant, decideProfile, suspendMerchant } from "@/lib/merchants/decide-merchant";
import { changePlatform } from "@/lib/merchants/settings";

export const inviteAdminAction = action(inviteAdmin);
export const changeAdminAction = action(changeAdmin);

export const decideMerchantAction = action(decideMerchant);
export const decideProfileAction = action(decideProfile);
export const suspendMerchantAction = action(suspendMerchant);

export const changePlatformAction = action(changePlatform);
