"use server";

import { createBranch, removeBranch, updateBranch } from "@/lib/branches/change-branches";
import { action } from "@/lib/http/action";

export const createBranchAction = action(createBranch);
export const updateBranchAction = action(updateBranch);
export const removeBranchAction = action(removeBranch);
