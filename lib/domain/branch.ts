import { z } from "zod";
import { nameSchema } from "./account";
import { idSchema } from "./ids";
import { pageSchema, searchSchema, sortSchema } from "./paging";

/** A branch, which administrators call an outlet. An archived one keeps its movements and takes no new ones. */
export type Branch = {
  id: string;
  name: string;
  city: string;
  archivedAt: Date | null;
  createdAt: Date;
  merchant: { id: string; businessName: string };
  /** How many workers who are not disabled have it as their home. */
  workers: number;
};

export const createBranchSchema = z.object({
  name: nameSchema,
  city: nameSchema,
  /** Whose branch it becomes: named by a super_admin, the own merchant otherwise. */
  merchantId: idSchema.optional(),
});
export type CreateBranch = z.output<typeof createBranchSchema>;

export const updateBranchSchema = z.object({
  id: idSchema,
  name: nameSchema.optional(),
  city: nameSchema.optional(),
  archived: z.boolean("validation.type").optional(),
});
export type UpdateBranch = z.output<typeof updateBranchSchema>;

/** What a list of branches can be sorted by; newest first where nothing is said. */
export const BRANCH_SORTS = ["added", "name", "merchant"] as const;

export const branchesSchema = pageSchema.extend({
  search: searchSchema,
  /** Only a super_admin sees more than one merchant. */
  merchantId: idSchema.optional(),
  /** Left out: those in use. */
  state: z.enum(["open", "archived", "all"], "validation.invalid").default("open"),
  sort: sortSchema(BRANCH_SORTS),
});
export type BranchesQuery = z.output<typeof branchesSchema>;

/** As a page's filters: without a state, all of them. */
export const branchListSchema = branchesSchema.extend({
  state: z.enum(["open", "archived", "all"], "validation.invalid").default("all"),
});
