"use server";

import { z } from "zod";
import { createOutlet } from "@/lib/branches/create-branch";
import { removeOutlet } from "@/lib/branches/remove-branch";
import { updateOutlet } from "@/lib/branches/update-branch";
import { createBranchSchema, updateBranchSchema } from "@/lib/domain/branch";
import { idSchema } from "@/lib/domain/ids";
import { action } from "@/lib/http/action";

export const createOutletAction = action(createBranchSchema, createOutlet);
export const updateOutletAction = action(updateBranchSchema, updateOutlet);
export const removeOutletAction = action(z.object({ id: idSchema }), removeOutlet);
