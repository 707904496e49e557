"use server";

import { action } from "@/lib/api/action";
import {
  createBranch,
  createOutlet,
  removeBranch,
  removeOutlet,
  updateBranch,
  updateOutlet,
} from "@/lib/branches/change-branches";

export const createBranchAction = action(createBranch);
export const updateBranchAction = action(updateBranch);
export const removeBranchAction = action(removeBranch);
export const createOutletAction = action(createOutlet);
export const updateOutletAction = action(updateOutlet);
export const removeOutletAction = action(removeOutlet);
