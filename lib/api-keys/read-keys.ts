import type { Prisma } from "@/lib/db/generated/client";
import { pageArgs, pageOf } from "@/lib/db/paging";
import { merchantWhere } from "@/lib/domain/actor";
import { BRANCH_REF } from "@/lib/domain/branch-name";
import { KEY_SCOPES } from "@/lib/domain/key-scopes";
import { MERCHANT_REF } from "@/lib/domain/merchant-name";
import { isAdministrator } from "@/lib/domain/roles";
import type { Page } from "@/lib/ledger/model/movements";
import { operation } from "@/lib/operations/operation";
import { type ApiKey, apiKeysSchema, type KeyState } from "./model";

const DAY_MS = 24 * 60 * 60 * 1000;

/** What a key's list shows of it: its newest two secrets, and its requests of the last 24 hours. */
export const keySelect = (now: Date) =>
  ({
    id: true,
    name: true,
    scopes: true,
    addresses: true,
    maxPointsOne: true,
    maxPointsDay: true,
    maxHoldSeconds: true,
    staffCards: true,
    createdAt: true,
    lastUsedAt: true,
    revokedAt: true,
    merchant: { select: MERCHANT_REF },
    branch: { select: BRANCH_REF },
    createdBy: { select: { id: true, firstName: true, lastName: true, role: true } },
    secrets: {
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: 2,
      select: { prefix: true, endsAt: true },
    },
    uses: { where: { hour: { gt: new Date(now.getTime() - DAY_MS) } }, select: { requests: true } },
  }) as const satisfies Prisma.ApiKeySelect;

type Row = Prisma.ApiKeyGetPayload<{ select: ReturnType<typeof keySelect> }>;

/** Maps a row of keySelect to a key. */
export function keyFrom({ secrets, uses, createdBy, scopes, ...row }: Row, now: Date): ApiKey {
  const [newest, older] = secrets;
  const olderEndsAt = older?.endsAt && older.endsAt > now && !row.revokedAt ? older.endsAt : null;
  const state: KeyState = row.revokedAt ? "revoked" : olderEndsAt ? "rotating" : "active";
  const { id, firstName, lastName, role } = createdBy;
  return {
    ...row,
    scopes: KEY_SCOPES.filter((scope) => scopes.includes(scope)),
    prefix: newest?.prefix ?? "",
    state,
    olderEndsAt,
    createdBy: isAdministrator(role) ? null : { id, name: `${firstName} ${lastName}` },
    callsOfDay: uses.reduce((sum, { requests }) => sum + requests, 0),
  };
}

const STATES = { in_use: { revokedAt: null }, revoked: { revokedAt: { not: null } }, all: {} } as const;

/** A page of the API keys in the caller's scope, newest first: those in use unless asked for others. */
export const listApiKeys = operation({
  permission: "apiKeys.manage",
  input: apiKeysSchema,
  readOnly: true,
  run: async (ctx, query): Promise<Page<ApiKey>> => {
    const { merchantId, state } = query;
    const now = ctx.clock();
    const rows = await ctx.db.apiKey.findMany({
      // Scope and filter are separate conditions, so that the filter cannot widen the scope.
      where: { AND: [merchantWhere(ctx.reach), { merchantId }, STATES[state]] },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      select: keySelect(now),
      ...pageArgs(query),
    });
    return pageOf(rows, query, (row) => keyFrom(row, now));
  },
});
