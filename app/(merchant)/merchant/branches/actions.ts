"use server";

import { z } from "zod";
import { createBranch, removeBranch, updateBranch } from "@/lib/branches/change-branches";
import { createBranchSchema, updateBranchSchema } from "@/lib/domain/branch";
import { idSchema } from "@/lib/domain/ids";
import { action } from "@/lib/http/action";

export const createBranchAction = action(createBranchSchema, createBranch);
export const updateBranchAction = action(updateBranchSchema, updateBranch);
export const removeBranchAction = action(z.object({ id: idSchema }), removeBranch);
