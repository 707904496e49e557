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
import { branchCalls, outletCalls } from "./names";

const branches = tagged("Branches", [
  bind(branchCalls.get, getBranch, { summary: "One branch." }),
  bind(branchCalls.update, updateBranch, {
    summary: "Renames, archives or reopens a branch. Fields that are left out keep their values.",
    message: "api.branchUpdated",
    example: { sBranchName: "The Pearl", sBranchNameAr: "اللؤلؤة", sCity: "Doha", bArchived: false },
  }),
  bind(branchCalls.remove, removeBranch, {
    summary: "Deletes an unused branch, or archives one with transactions or workers.",
    message: "api.branchRemoved",
  }),
  bind(branchCalls.list, listBranches, {
    summary: "The branches that the caller may see, newest first by default.",
  }),
  bind(branchCalls.create, createBranch, {
    summary: "Creates a branch of the caller's merchant. A super_admin gives iMerchantId.",
    message: "api.branchAdded",
    example: { sBranchName: "The Pearl", sBranchNameAr: "اللؤلؤة", sCity: "Doha" },
  }),
]);

const outlets = tagged("Outlets", [
  bind(outletCalls.update, updateOutlet, {
    summary:
      "Renames, archives or reopens a branch of any merchant. Fields that are left out keep their values.",
    message: "api.branchUpdated",
    example: { sBranchName: "The Pearl", sBranchNameAr: "اللؤلؤة", sCity: "Doha", bArchived: false },
  }),
  bind(outletCalls.remove, removeOutlet, {
    summary: "Deletes an unused outlet, or archives one with transactions or workers.",
    message: "api.branchRemoved",
  }),
  bind(outletCalls.list, listOutlets, {
    summary: "The branches of all merchants, newest first by default.",
  }),
  bind(outletCalls.create, createOutlet, {
    summary: "Creates a branch of the merchant in iMerchantId.",
    message: "api.branchAdded",
    example: {
      sBranchName: "The Pearl",
      sBranchNameAr: "اللؤلؤة",
      sCity: "Doha",
      iMerchantId: "01999999-0000-7000-8000-000000000001",
    },
  }),
]);

export const branchApi = [...branches, ...outlets];
