"use server";

import { action } from "@/lib/api/action";
import { createBranch, removeBranch, updateBranch } from "@/lib/branches/change-branches";

export const createBranchAction = action(createBranch);
export const updateBranchAction = action(updateBranch);
export const removeBranchAction = action(removeBranch);
