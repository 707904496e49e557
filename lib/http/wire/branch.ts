import { z } from "zod";
import { type Branch, branchesSchema, createBranchSchema, updateBranchSchema } from "@/lib/domain/branch";
import { idSchema } from "@/lib/domain/ids";
import type { Page } from "@/lib/domain/movements";

export const idParams = z.object({ id: idSchema });

const branchData = z.object({
  _id: z.string(),
  sBranchName: z.string(),
  sCity: z.string(),
  iMerchantId: z.string(),
  merchant: z.object({ _id: z.string(), sBusinessName: z.string() }),
  nWorkers: z.number().int(),
  bArchived: z.boolean(),
  dCreatedAt: z.iso.datetime(),
});

function branchFrom(branch: Branch): z.output<typeof branchData> {
  return {
    _id: branch.id,
    sBranchName: branch.name,
    sCity: branch.city,
    iMerchantId: branch.merchant.id,
    merchant: { _id: branch.merchant.id, sBusinessName: branch.merchant.businessName },
    nWorkers: branch.workers,
    bArchived: branch.archivedAt !== null,
    dCreatedAt: branch.createdAt.toISOString(),
  };
}

export const branchReply = { schema: branchData, from: branchFrom };
export const branchesReply = {
  schema: z.object({ results: z.array(branchData), nextCursor: z.string().nullable() }),
  from: (page: Page<Branch>) => ({ results: page.results.map(branchFrom), nextCursor: page.nextCursor }),
};
/** Whether it was archived, since it had been used, or deleted. */
export const removedReply = {
  schema: z.object({ bArchived: z.boolean() }),
  from: ({ archived }: { archived: boolean }) => ({ bArchived: archived }),
};

const query = branchesSchema.shape;
export const branchesWire = z
  .object({
    search: query.search,
    cursor: query.cursor,
    limit: query.limit,
    iMerchantId: query.merchantId,
    /** open (default), archived or all. */
    state: query.state,
    /** A minus before the field sorts downwards; -added by itself. */
    sort: query.sort,
  })
  .transform(({ iMerchantId, ...rest }) => ({ ...rest, merchantId: iMerchantId }));

const create = createBranchSchema.shape;
export const createBranchWire = z
  .object({ sBranchName: create.name, sCity: create.city, iMerchantId: create.merchantId })
  .transform((wire) => ({ name: wire.sBranchName, city: wire.sCity, merchantId: wire.iMerchantId }));

const update = updateBranchSchema.shape;
export const updateBranchWire = z
  .object({ sBranchName: update.name, sCity: update.city, bArchived: update.archived })
  .transform((wire) => ({ name: wire.sBranchName, city: wire.sCity, archived: wire.bArchived }));
