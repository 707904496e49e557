"use server";

import { z } from "zod";
import { endOtherSessions, endSession } from "@/lib/accounts/end-session";
import { updateProfile } from "@/lib/accounts/update-profile";
import { idSchema } from "@/lib/domain/ids";
import { changePasswordSchema, updateProfileSchema } from "@/lib/domain/schemas/account";
import { action } from "@/lib/http/action";
import { changePassword } from "@/lib/sessions/change-password";

export const updateProfileAction = action(updateProfileSchema, updateProfile);
export const changePasswordAction = action(changePasswordSchema, changePassword);
export const endSessionAction = action(z.object({ handle: idSchema }), endSession);
export const endOtherSessionsAction = action(z.object({}), endOtherSessions);
