import type { Db, Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { pageArgs, pageOf } from "@/lib/db/paging";
import type { Reach } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { MERCHANT_REF, type MerchantRef } from "@/lib/domain/localized-names";
import type { Page } from "@/lib/ledger/model/movements";
import { operation } from "@/lib/operations/operation";
import { pickRules } from "./config-versions";
import {
  type ConfigInForce,
  type ConfigOverride,
  configHistorySchema,
  configScopeSchema,
  type PendingChange,
  type PointsRules,
  type RulesInForce,
} from "./model";
import type { ConfigChange } from "./names";
import { valuesOf, waitOf } from "./pending-changes";

/** The configuration in force and its waiting change: an owner's own, for an administrator a named merchant's or the platform's. */
export const viewConfig = operation({
  permission: "config.read",
  input: configScopeSchema,
  errors: ["merchant_not_found"],
  readOnly: true,
  run: async (ctx, input): Promise<ConfigInForce> => {
    const merchant = await configMerchant(ctx, input.merchantId);
    const id = merchant?.id ?? null;
    const rules = await rulesInForce(ctx.db, id);
    return { ...rules, merchant, pending: await readPending(ctx, id, rules) };
  },
});

/** The change that waits for a merchant (its own, or without an override the platform's) or the platform (null). */
async function readPending(
  { db, actor }: Pick<Context, "db" | "actor">,
  merchantId: string | null,
  now: RulesInForce,
): Promise<PendingChange | null> {
  const own = { merchantId };
  const row = await db.pendingChange.findFirst({
    where: { kind: "points", closedAt: null, OR: now.overridden ? [own] : [own, { merchantId: null }] },
    orderBy: { merchantId: { sort: "asc", nulls: "last" } },
    include: { askedBy: { select: { firstName: true, lastName: true } } },
  });
  if (!row) return null;
  const { withdrawal } = row;
  // A withdrawal announces the rules that wait; the others become the platform's too.
  const others = withdrawal && merchantId !== null ? await rulesInForce(db, merchantId, null) : now;
  return { ...waitOf(row, actor), withdrawal, rules: { ...pickRules(others), ...valuesOf(row) } };
}

/** The rules in force for a merchant, or the platform (null). With `of` null: those without the override. */
export async function rulesInForce(
  db: Db | Tx,
  merchantId: string | null,
  of = merchantId,
): Promise<RulesInForce> {
  const [rules] = await db.$queryRaw<RulesInForce[]>`
    SELECT dirhams_per_point AS "dirhamsPerPoint", min_top_up AS "minTopUp", max_top_up AS "maxTopUp",
      max_balance AS "maxBalance", undo_minutes AS "undoMinutes",
      worker_cap_in_force(p, (SELECT m.worker_daily_cap FROM merchants m WHERE m.id = ${merchantId}::uuid)) AS "workerDailyCap",
      version, merchant_id IS NOT NULL AS overridden, created_at AS since
    FROM points_config_in_force(${of}::uuid) p`;
  if (!rules) throw new Error("the platform's first points configuration is missing");
  return rules;
}

/** The caller's own merchant, or the one an administrator names; null is the platform. Throws merchant_not_found for another. */
export async function configMerchant(
  { db, reach }: { db: Db; reach: Reach },
  merchantId: string | undefined,
): Promise<MerchantRef | null> {
  const own = reach.scope === "any" ? null : reach.merchantId;
  if (own !== null && merchantId !== undefined && merchantId !== own) {
    throw new DomainError("merchant_not_found");
  }
  const id = own ?? merchantId;
  if (id === undefined) return null;
  const merchant = await db.merchant.findUnique({ where: { id }, select: MERCHANT_REF });
  if (!merchant) throw new DomainError("merchant_not_found");
  return merchant;
}

const versionKey = (merchantId: string | null, version: number): string =>
  `${merchantId ?? "platform"} ${version}`;

const rulesUnlessWithdrawn = (version?: PointsRules & { withdrawn: boolean }): PointsRules | null =>
  version && !version.withdrawn ? pickRules(version) : null;

/** A page of changes, newest first: of a named merchant or all for an administrator, for an owner their own and the platform's. */
export const configHistory = operation({
  permission: "config.read",
  input: configHistorySchema,
  errors: ["merchant_not_found"],
  readOnly: true,
  run: async (ctx, input): Promise<Page<ConfigChange>> => {
    const merchant = await configMerchant(ctx, input.merchantId);
    const isAdministrator = ctx.reach.scope === "any";
    const own = merchant && { merchantId: merchant.id };
    const rows = await ctx.db.pointsConfig.findMany({
      where: own && !isAdministrator ? { OR: [own, { merchantId: null }] } : (own ?? {}),
      orderBy: { id: "desc" },
      ...pageArgs(input),
      include: {
        merchant: { select: MERCHANT_REF },
        changedBy: { select: { firstName: true, lastName: true } },
      },
    });
    const earlier = await ctx.db.pointsConfig.findMany({
      where: { OR: rows.map(({ merchantId, version }) => ({ merchantId, version: version - 1 })) },
    });
    const before = new Map(earlier.map((row) => [versionKey(row.merchantId, row.version), row]));
    return pageOf(rows, input, ({ id, merchant, version, createdAt, changedBy: by, ...row }) => ({
      id,
      merchant,
      version,
      createdAt,
      changedBy: isAdministrator && by ? `${by.firstName} ${by.lastName}` : null,
      before: rulesUnlessWithdrawn(before.get(versionKey(row.merchantId, version - 1))),
      after: rulesUnlessWithdrawn(row),
    }));
  },
});

/** The merchants with an override, by name, at most 200. For administrators. */
export const listOverrides = operation({
  permission: "config.edit",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<ConfigOverride[]> => {
    const rows = await ctx.db.$queryRaw<(PointsRules & MerchantRef)[]>`
    select m.id::text as id, m.business_name as "businessName", m.business_name_ar as "businessNameAr",
      n.dirhams_per_point as "dirhamsPerPoint", n.min_top_up as "minTopUp", n.max_top_up as "maxTopUp",
      n.max_balance as "maxBalance", n.undo_minutes as "undoMinutes", n.worker_daily_cap as "workerDailyCap"
    from (
      select distinct on (merchant_id) * from points_configs
      where merchant_id is not null order by merchant_id, version desc
    ) n join merchants m on m.id = n.merchant_id
    where not n.withdrawn order by m.business_name collate "und-x-icu", m.id limit 200`;
    return rows.map(({ id, businessName, businessNameAr, ...rules }) => ({
      merchant: { id, businessName, businessNameAr },
      rules,
    }));
  },
});
