"use server";

import { createOutlet, removeOutlet, updateOutlet } from "@/lib/branches/change-branches";
import { action } from "@/lib/http/action";

export const createOutletAction = action(createOutlet);
export const updateOutletAction = action(updateOutlet);
export const removeOutletAction = action(removeOutlet);
