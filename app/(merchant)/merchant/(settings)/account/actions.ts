"use server";

import { action } from "@/lib/api/action";
import { cancelProfileChange, updateBusiness } from "@/lib/merchants/business";

export const updateBusinessAction = action(updateBusiness);
export const cancelProfileChangeAction = action(cancelProfileChange);
