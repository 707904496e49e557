"use server";

import { changeAdmin, inviteAdmin } from "@/lib/accounts/admins";
import { action } from "@/lib/http/action";

export const inviteAdminAction = action(inviteAdmin);
export const changeAdminAction = action(changeAdmin);
