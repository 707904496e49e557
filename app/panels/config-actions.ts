"use server";

import {
  configImpactSchema,
  editConfigSchema,
  withdrawOverrideSchema,
} from "@/lib/domain/schemas/points-config";
import { action } from "@/lib/http/action";
import { editConfig, withdrawOverride } from "@/lib/points-config/edit-config";
import { configImpact } from "@/lib/points-config/impact";

export const editConfigAction = action(editConfigSchema, editConfig);
export const withdrawOverrideAction = action(withdrawOverrideSchema, withdrawOverride);
export const configImpactAction = action(configImpactSchema, configImpact);
