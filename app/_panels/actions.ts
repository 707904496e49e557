"use server";

import { z } from "zod";
import { endOtherSessions, endSession } from "@/lib/accounts/own-sessions";
import { updateProfile } from "@/lib/accounts/profile";
import { changePassword } from "@/lib/accounts/set-password";
import { editCustomer, sendUnfreezeCode, unfreezeCustomer } from "@/lib/customers/edit-customer";
import { changePasswordSchema, updateProfileSchema } from "@/lib/domain/account";
import { customerIdSchema, editCustomerSchema, unfreezeCustomerSchema } from "@/lib/domain/customers";
import { idSchema } from "@/lib/domain/ids";
import { type Receipt, reverseSchema } from "@/lib/domain/movements";
import { configImpactSchema, editConfigSchema, withdrawOverrideSchema } from "@/lib/domain/points-config";
import { action } from "@/lib/http/action";
import { reverse } from "@/lib/ledger/move-points";
import { configImpact, editConfig, withdrawOverride } from "@/lib/points-config/edit-config";

export const editConfigAction = action(editConfigSchema, editConfig);
export const withdrawOverrideAction = action(withdrawOverrideSchema, withdrawOverride);
export const configImpactAction = action(configImpactSchema, configImpact);

export const editCustomerAction = action(editCustomerSchema, editCustomer);
export const sendUnfreezeCodeAction = action(customerIdSchema, sendUnfreezeCode);
export const unfreezeCustomerAction = action(unfreezeCustomerSchema, unfreezeCustomer);

export const reverseAction = action(reverseSchema, reverse, ({ movement }: Receipt) => ({ id: movement.id }));

export const updateProfileAction = action(updateProfileSchema, updateProfile);
export const changePasswordAction = action(changePasswordSchema, changePassword);
export const endSessionAction = action(z.object({ handle: idSchema }), endSession);
export const endOtherSessionsAction = action(z.object({}), endOtherSessions);
