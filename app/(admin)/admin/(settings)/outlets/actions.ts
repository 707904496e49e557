"use server";

import { action } from "@/lib/api/action";
import { createOutlet, removeOutlet, updateOutlet } from "@/lib/branches/change-branches";

export const createOutletAction = action(createOutlet);
export const updateOutletAction = action(updateOutlet);
export const removeOutletAction = action(removeOutlet);
