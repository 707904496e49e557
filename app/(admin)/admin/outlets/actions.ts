"use server";

import { z } from "zod";
import { createOutlet, removeOutlet, updateOutlet } from "@/lib/branches/change-branches";
import { createBranchSchema, updateBranchSchema } from "@/lib/domain/branch";
import { idSchema } from "@/lib/domain/ids";
import { action } from "@/lib/http/action";

export const createOutletAction = action(createBranchSchema, createOutlet);
export const updateOutletAction = action(updateBranchSchema, updateOutlet);
export const removeOutletAction = action(z.object({ id: idSchema }), removeOutlet);
