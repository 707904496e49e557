"use server";

import { changeAdmin, inviteAdmin } from "@/lib/accounts/admins";
import { action } from "@/lib/api/action";

export const inviteAdminAction = action(inviteAdmin);
export const changeAdminAction = action(changeAdmin);
