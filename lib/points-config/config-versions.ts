import { type AuditContext, type AuditEntry, audit, difference, merchantOrPlatform } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import type { SystemActor, UserActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { addJobOf } from "@/lib/jobs/add-job";
import type { PointsRules } from "./model";

export type VersionAuthor = AuditContext & { actor: UserActor | SystemActor };

/** The rules of a configuration, without what comes with them. */
export function pickRules(source: PointsRules): PointsRules {
  const { dirhamsPerPoint, minTopUp, maxTopUp, maxBalance, undoMinutes, workerDailyCap } = source;
  return { dirhamsPerPoint, minTopUp, maxTopUp, maxBalance, undoMinutes, workerDailyCap };
}

type NewVersion = { before: PointsRules; after: PointsRules; withdrawn: boolean; changedById: string };

/**
 * Writes the next version of the platform's configuration (null) or of a merchant's, and queues the update of the passes when
 * the rate changes. The caller holds the lock on postings, so versions are consecutive. Throws rate_lowered when the rate falls
 * while customers hold points, who paid for them at the higher rate; a raise under which nothing was posted may be undone.
 */
export async function writeVersion(
  tx: Tx,
  author: VersionAuthor,
  merchantId: string | null,
  { before, after, withdrawn, changedById }: NewVersion,
): Promise<void> {
  const lowered =
    after.dirhamsPerPoint < before.dirhamsPerPoint && (await hasOutstandingPoints(tx, merchantId));
  if (lowered && !(await undoesRaise(tx, merchantId, after.dirhamsPerPoint)))
    throw new DomainError("rate_lowered");
  const newest = await tx.pointsConfig.findFirst({
    where: { merchantId },
    orderBy: { version: "desc" },
    select: { version: true },
  });
  // A withdrawn override keeps its own rules.
  const rules = pickRules(withdrawn ? before : after);
  const version = (newest?.version ?? 0) + 1;
  const data = { ...rules, withdrawn, merchantId, version, changedById };
  await tx.pointsConfig.create({ data, select: { id: true } });
  const action = withdrawn ? "config.withdrawn" : "config.changed";
  await auditConfig(tx, author, merchantId, action, [pickRules(before), pickRules(after)]);
  if (before.dirhamsPerPoint === after.dirhamsPerPoint) return;
  // The passes show the value of a point.
  const key = `cards_changed:${merchantId ?? "all"}`;
  await addJobOf(tx, author, "cards_changed", { merchantId }, { key });
}

/** Writes down what happened to the configuration of a merchant or the platform (null), with the values that differ. */
export async function auditConfig(
  tx: Tx,
  author: AuditContext,
  merchantId: string | null,
  action: Extract<AuditEntry["action"], `config.${string}`>,
  [before, after]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}],
): Promise<void> {
  await audit(tx, author, { ...merchantOrPlatform(merchantId), action, ...difference(before, after) });
}

/** The condition for merchants `m` without an override: they never had one, or its newest version was withdrawn. */
const UNDER_PLATFORM = Prisma.sql`not exists (
  select 1 from (
    select withdrawn from points_configs p where p.merchant_id = m.id order by version desc limit 1
  ) newest where not newest.withdrawn)`;

/** The condition for the merchants `m` under one configuration: a merchant's, or the platform's (null). */
export const underConfig = (merchantId: string | null): Prisma.Sql =>
  merchantId === null ? UNDER_PLATFORM : Prisma.sql`m.id = ${merchantId}::uuid`;

/** Whether a customer of these merchants `m` holds points. All postings may wait for it: it stops at the first of them. */
export async function holdPoints(tx: Tx, merchants: Prisma.Sql): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`
    select held.id::text from merchants m cross join lateral (
      select id from customers c where c.merchant_id = m.id and c.balance > 0
      order by c.registered_at desc, c.id desc limit 1
    ) held where ${merchants} limit 1`;
  return found.length > 0;
}

/** Whether a customer under one configuration (a merchant's, or the platform's when null) holds points. */
export const hasOutstandingPoints = (tx: Tx, merchantId: string | null): Promise<boolean> =>
  holdPoints(tx, underConfig(merchantId));

type RateVersion = { own: boolean; version: number; rate: number; withdrawn: boolean; at: Date };
type RateInForce = { rate: number; at: Date };

/** Of each of the two configurations, the newest versions that are read to find the rate before a raise. */
const VERSIONS_READ = 20;

/** The last rates in force for a merchant or the platform (null), the newest last, as far as its recent versions show. */
async function recentRates(tx: Tx, merchantId: string | null): Promise<RateInForce[]> {
  const versions = await tx.$queryRaw<RateVersion[]>`
    select own, version, dirhams_per_point as rate, withdrawn, created_at as at from (
      (select true as own, * from points_configs where merchant_id = ${merchantId}::uuid
        order by version desc limit ${VERSIONS_READ})
      union all
      (select false, * from points_configs where merchant_id is null order by version desc limit ${VERSIONS_READ})
    ) versions order by id`;
  const rates: RateInForce[] = [];
  const oldest = versions.find(({ own }) => own);
  let [own, platform]: (RateVersion | undefined)[] = [];
  for (const version of versions) {
    if (version.own) own = version;
    else platform = version;
    // The merchant's version before the oldest one read is unknown.
    if (!own && oldest && oldest.version > 1) continue;
    const inForce = own && !own.withdrawn ? own : platform;
    if (inForce && rates.at(-1)?.rate !== inForce.rate) rates.push({ rate: inForce.rate, at: version.at });
  }
  return rates;
}

/** Whether a lower rate is the one before the last raise, and nothing was posted under that raise. */
export async function undoesRaise(tx: Tx, merchantId: string | null, rate: number): Promise<boolean> {
  const [before, raised] = (await recentRates(tx, merchantId)).slice(-2);
  if (!before || !raised || before.rate >= raised.rate || before.rate !== rate) return false;
  // A posting that waited for the raise may carry the time at which it began to wait, so a minute is added.
  const posted = await tx.$queryRaw<unknown[]>`
    select under.id::text from merchants m cross join lateral (
      (select id from movements v where v.merchant_id = m.id and v.balance_rate = ${raised.rate}::int
        and v.created_at >= ${raised.at}::timestamptz - interval '1 minute' limit 1)
      union all
      -- Who came under the platform's raise from an override had another value before.
      (select id from points_configs own where ${merchantId}::uuid is null and own.merchant_id = m.id
        and own.created_at >= ${raised.at}::timestamptz - interval '1 minute' limit 1)
    ) under where ${underConfig(merchantId)} limit 1`;
  return posted.length === 0;
}
