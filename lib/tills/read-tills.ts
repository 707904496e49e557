import type { Prisma } from "@/lib/db/generated/client";
import { pageArgs, pageOf } from "@/lib/db/paging";
import { merchantWhere } from "@/lib/domain/actor";
import { BRANCH_REF } from "@/lib/domain/branch-name";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema } from "@/lib/domain/ids";
import { MERCHANT_REF } from "@/lib/domain/merchant-name";
import type { Page } from "@/lib/ledger/model/movements";
import { operation } from "@/lib/operations/operation";
import { type Till, tillsSchema } from "./model/till";

export const tillSelect = {
  id: true,
  name: true,
  pairedAt: true,
  retiredAt: true,
  createdAt: true,
  pinLockedAt: true,
  pairingHash: true,
  pairingExpiresAt: true,
  branch: { select: { ...BRANCH_REF, merchant: { select: MERCHANT_REF } } },
  sessions: {
    orderBy: { lastSeenAt: "desc" },
    take: 1,
    select: { lastSeenAt: true, user: { select: { firstName: true, lastName: true } } },
  },
} as const satisfies Prisma.TillSelect;

type Row = Prisma.TillGetPayload<{ select: typeof tillSelect }>;

/** Maps a row of tillSelect to a till. */
export function tillFrom({
  branch: { merchant, ...branch },
  pairingHash,
  pairingExpiresAt,
  sessions: [last],
  ...row
}: Row): Till {
  return {
    ...row,
    branch,
    merchant,
    pairingExpiresAt: pairingHash === null ? null : pairingExpiresAt,
    lastContact: last ? { at: last.lastSeenAt, by: `${last.user.firstName} ${last.user.lastName}` } : null,
  };
}

/** One till in the caller's scope. Throws till_not_found. */
export const getTill = operation({
  permission: "tills.manage",
  input: byIdSchema,
  errors: ["till_not_found"],
  readOnly: true,
  run: async (ctx, { id }): Promise<Till> => {
    const scope = merchantWhere(ctx.reach);
    const row = await ctx.db.till.findFirst({ where: { id, ...scope }, select: tillSelect });
    if (!row) throw new DomainError("till_not_found");
    return tillFrom(row);
  },
});

const STATES = { in_use: { retiredAt: null }, retired: { retiredAt: { not: null } }, all: {} } as const;

/** A page of the tills in the caller's scope, newest first: those in use unless asked for others. */
export const listTills = operation({
  permission: "tills.manage",
  input: tillsSchema,
  readOnly: true,
  run: async (ctx, query): Promise<Page<Till>> => {
    const scope = merchantWhere(ctx.reach);
    const { branchId, merchantId, state } = query;
    const rows = await ctx.db.till.findMany({
      // Scope and filter are separate conditions, so that the filter cannot widen the scope.
      where: { AND: [scope, { branchId, merchantId }, STATES[state]] },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      select: tillSelect,
      ...pageArgs(query),
    });
    return pageOf(rows, query, tillFrom);
  },
});
