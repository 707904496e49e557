import type { Context } from "@/lib/db/context";
import { pageArgs, pageOf } from "@/lib/db/paging";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema } from "@/lib/domain/ids";
import { MERCHANT_REF } from "@/lib/domain/merchant-name";
import type { Page } from "@/lib/domain/movements";
import { type Till, type TillsQuery, tillsSchema } from "@/lib/domain/till";

export const tillSelect = {
  id: true,
  name: true,
  pairedAt: true,
  retiredAt: true,
  createdAt: true,
  pinLockedAt: true,
  pairingHash: true,
  pairingExpiresAt: true,
  branch: { select: { id: true, name: true, merchant: { select: MERCHANT_REF } } },
} as const;

type Row = Omit<Till, "branch" | "merchant"> & {
  pairingHash: string | null;
  branch: { id: string; name: string; merchant: Till["merchant"] };
};

/** Maps a row of tillSelect to a till. */
export function tillFrom({
  branch: { merchant, ...branch },
  pairingHash,
  pairingExpiresAt,
  ...row
}: Row): Till {
  return { ...row, branch, merchant, pairingExpiresAt: pairingHash === null ? null : pairingExpiresAt };
}

/** One till in the caller's scope. Throws till_not_found. */
export async function getTill(ctx: Context, { id }: { id: string }): Promise<Till> {
  const scope = merchantWhere(authorize(ctx.actor, "tills.manage"));
  const row = await ctx.db.till.findFirst({ where: { id, ...scope }, select: tillSelect });
  if (!row) throw new DomainError("till_not_found");
  return tillFrom(row);
}
getTill.permission = "tills.manage" as const;
getTill.input = byIdSchema;
getTill.errors = ["till_not_found"] as const;

const STATES = { in_use: { retiredAt: null }, retired: { retiredAt: { not: null } }, all: {} } as const;

/** A page of the tills in the caller's scope, newest first: those in use unless asked for others. */
export async function listTills(ctx: Context, query: TillsQuery): Promise<Page<Till>> {
  const scope = merchantWhere(authorize(ctx.actor, "tills.manage"));
  const { branchId, merchantId, state } = query;
  const rows = await ctx.db.till.findMany({
    // Scope and filter are separate conditions, so that the filter cannot widen the scope.
    where: { AND: [scope, { branchId, merchantId }, STATES[state]] },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: tillSelect,
    ...pageArgs(query),
  });
  return pageOf(rows, query, tillFrom);
}
listTills.permission = "tills.manage" as const;
listTills.input = tillsSchema;
