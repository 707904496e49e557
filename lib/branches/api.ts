import { bind, tagged } from "@/lib/calls/bind";
import {
  createBranch,
  createOutlet,
  getBranch,
  listBranches,
  listOutlets,
  removeBranch,
  removeOutlet,
  updateBranch,
  updateOutlet,
} from "./branches";
import { branchCalls } from "./names";

export const branchApi = tagged("Branches", [
  bind(branchCalls.getBranch, getBranch, { summary: "One branch." }),
  bind(branchCalls.updateBranch, updateBranch, {
    summary: "Renames, archives or reopens a branch. Fields that are left out keep their values.",
    message: "api.branchUpdated",
    example: { sBranchName: "The Pearl", sBranchNameAr: "اللؤلؤة", sCity: "Doha", bArchived: false },
  }),
  bind(branchCalls.removeBranch, removeBranch, {
    summary: "Deletes an unused branch, or archives one with transactions or workers.",
    message: "api.branchRemoved",
  }),
  bind(branchCalls.listBranches, listBranches, {
    summary: "The branches that the caller may see, newest first by default.",
  }),
  bind(branchCalls.createBranch, createBranch, {
    summary: "Creates a branch of the caller's merchant. A super_admin gives iMerchantId.",
    message: "api.branchAdded",
    example: { sBranchName: "The Pearl", sBranchNameAr: "اللؤلؤة", sCity: "Doha" },
  }),
  bind(branchCalls.updateOutlet, updateOutlet, {
    summary:
      "Renames, archives or reopens a branch of any merchant. Fields that are left out keep their values.",
    tag: "Outlets",
    message: "api.branchUpdated",
    example: { sBranchName: "The Pearl", sBranchNameAr: "اللؤلؤة", sCity: "Doha", bArchived: false },
  }),
  bind(branchCalls.removeOutlet, removeOutlet, {
    summary: "Deletes an unused outlet, or archives one with transactions or workers.",
    tag: "Outlets",
    message: "api.branchRemoved",
  }),
  bind(branchCalls.listOutlets, listOutlets, {
    summary: "The branches of all merchants, newest first by default.",
    tag: "Outlets",
  }),
  bind(branchCalls.createOutlet, createOutlet, {
    summary: "Creates a branch of the merchant in iMerchantId.",
    tag: "Outlets",
    message: "api.branchAdded",
    example: {
      sBranchName: "The Pearl",
      sBranchNameAr: "اللؤلؤة",
      sCity: "Doha",
      iMerchantId: "01999999-0000-7000-8000-000000000001",
    },
  }),
]);
