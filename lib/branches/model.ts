import { z } from "zod";
import { nameSchema, optionalNameSchema } from "@/lib/accounts/model/account";
import { idSchema } from "@/lib/domain/ids";
import { pageSchema, searchSchema, sortSchema } from "@/lib/domain/paging";

const typed = z.object({ name: nameSchema, nameAr: optionalNameSchema, city: nameSchema });

export const createBranchSchema = typed.extend({
  /** Required from a super_admin; the actor's own merchant otherwise. */
  merchantId: idSchema.optional(),
});

export const updateBranchSchema = typed.partial().extend({
  id: idSchema,
  archived: z.boolean("validation.type").optional(),
});

export const BRANCH_SORTS = ["added", "name", "merchant"] as const;

export const branchesSchema = pageSchema.extend({
  search: searchSchema,
  merchantId: idSchema.optional(),
  state: z.enum(["open", "archived", "all"], "validation.invalid").default("open"),
  sort: sortSchema(BRANCH_SORTS),
});

/** The same filters for a page, which shows every state by default. */
export const branchListSchema = branchesSchema.extend({
  state: z.enum(["open", "archived", "all"], "validation.invalid").default("all"),
});
