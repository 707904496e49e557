import { createHash } from "node:crypto";
import type { Db, Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { Prisma, type PendingChange as Row } from "@/lib/db/generated/client";
import type { SystemActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema } from "@/lib/domain/ids";
import { type MerchantNames, merchantName } from "@/lib/domain/localized-names";
import { localeOr } from "@/lib/domain/roles";
import { queueEmails } from "@/lib/email/queue";
import { env } from "@/lib/env";
import type { Task } from "@/lib/jobs/queue";
import { lockPostings, withinPostingLimits } from "@/lib/ledger/lock-postings";
import { operation } from "@/lib/operations/operation";
import { auditConfig, pickRules, underConfig, writeVersion } from "./config-versions";
import { CONFIG_MAILS, type ConfigInForce, type ConfigMail, type PointsRules } from "./model";
import { ACTIVE_ADMIN, APPROVER_HOURS, isWideStep, raisesCap, valuesOf, WAITING } from "./pending-changes";
import { lockLimits, waitingLimit, writeLimit } from "./pending-limits";
import { rulesInForce, viewConfig } from "./read-config";

const ACTOR: SystemActor = { type: "system", job: "apply_pending" };

type Unfit = { unfit: "asker" | "approver" | null };

/** Closes a change whose time has come, if it is still open, and answers it. One whose asker or approver is none now is unfit. */
async function claim(tx: Tx, id: string): Promise<(Row & Unfit) | null> {
  const [claimed] = await tx.$queryRaw<Unfit[]>`
    with due as (
      select p.id, case
        when not exists (select from users u where u.id = p.asked_by_id and ${ACTIVE_ADMIN}
          and (p.kind = 'points' or u.role = 'super_admin')) then 'asker'
        when p.approved_by_id is not null
          and not exists (select from users u where u.id = p.approved_by_id and ${ACTIVE_ADMIN}) then 'approver'
        end as unfit
      from pending_changes p where p.id = ${id}::uuid)
    update pending_changes p set closed_at = now(),
      outcome = case when due.unfit is null then 'applied' else 'dropped' end::"PendingOutcome"
    from due
    where p.id = due.id and p.closed_at is null and p.effective_at <= now()
      and (due.unfit = 'asker' or not p.needs_approval or p.approved_by_id is not null)
    returning due.unfit`;
  if (!claimed) return null;
  return { ...(await tx.pendingChange.findUniqueOrThrow({ where: { id } })), unfit: claimed.unfit };
}

/** The rules after the change, from those in force now; or why they may not become so any more. */
async function nextRules(tx: Tx, row: Row) {
  const now = await rulesInForce(tx, row.merchantId);
  const values = valuesOf(row);
  if (row.withdrawal && !now.overridden) return "override";
  const announced = { ...pickRules(now), ...values };
  const after =
    row.withdrawal && row.merchantId !== null
      ? pickRules(await rulesInForce(tx, row.merchantId, null))
      : announced;
  // Only the announced values may take effect. The platform's rules may have changed since the announcement.
  if (
    WAITING.some((field) => after[field] !== announced[field]) ||
    raisesCap(row.merchantId, announced.workerDailyCap, after.workerDailyCap)
  ) {
    return "platform";
  }
  const wide = isWideStep(now.dirhamsPerPoint, after.dirhamsPerPoint);
  if (wide && row.approvedById === null && !row.alone) return "step";
  if (after.minTopUp > after.maxTopUp || after.maxTopUp > after.maxBalance) return "bounds";
  const same = Object.entries(values).every(([field, value]) => now[field as keyof PointsRules] === value);
  if (same && !row.withdrawal) return "no_change";
  return { before: pickRules(now), after };
}

async function writeClaimed(tx: Tx, row: Row) {
  const next = await nextRules(tx, row);
  if (typeof next === "string") return next;
  const changedById = row.askedById;
  try {
    const version = { ...next, withdrawn: row.withdrawal, changedById };
    await writeVersion(tx, { actor: ACTOR }, row.merchantId, version);
    return null;
  } catch (error) {
    if (error instanceof DomainError && error.code === "rate_lowered") return "rate_lowered";
    throw error;
  }
}

type Due = Pick<Row, "id" | "kind" | "merchantId">;

/** Applies or drops a due change. Throws unavailable when postings would wait for more than a few seconds. */
async function applyOne(db: Db, { id, kind, merchantId }: Due): Promise<void> {
  await withinPostingLimits(db, async (tx) => {
    if (kind === "points") await lockPostings(tx);
    else await lockLimits(tx, merchantId);
    const row = await claim(tx, id);
    if (!row) return;
    const write = () => (kind === "points" ? writeClaimed(tx, row) : writeLimit(tx, ACTOR, row));
    const dropped = row.unfit ?? (await write());
    const mail = dropped ? "cancelled" : "applied";
    await tx.pendingChange.update({
      where: { id },
      data: { outcome: dropped ? "dropped" : "applied", mails: { push: mail } },
      select: { id: true },
    });
    if (!dropped) return;
    await auditConfig(tx, { actor: ACTOR }, row.merchantId, "config.dropped", [{}, { reason: dropped }]);
  });
}

const AT_ONCE = 200;

/** Runs every minute: applies the changes of configuration and limits that are due, and mails the owners. */
export const applyPending: Task = async ({ db }) => {
  const due = await db.$queryRaw<Due[]>`
    select p.id::text as id, p.kind::text as kind, p.merchant_id::text as "merchantId" from pending_changes p join users u on u.id = p.asked_by_id
    where p.closed_at is null and p.effective_at <= now()
      and (not p.needs_approval or p.approved_by_id is not null or not (${ACTIVE_ADMIN}))
    order by p.effective_at, p.id limit ${AT_ONCE}`;
  const failed: unknown[] = [];
  // One that fails keeps no other waiting; the queue reports it and the next run tries again.
  for (const one of due) await applyOne(db, one).catch((error: unknown) => failed.push(error));
  await mailChanges(db);
  if (failed.length > 0) throw failed[0];
};

const OWNERS_AT_ONCE = 500;

type Owner = { id: string; email: string; name: string; locale: string | null } & MerchantNames;

/** The next owners under a configuration (a merchant's, or the platform's when null), by id. The ceiling concerns all. */
function nextOwners(
  db: Db,
  { kind, merchantId }: Pick<Row, "kind" | "merchantId">,
  after: string | undefined,
): Promise<Owner[]> {
  const later = after ? Prisma.sql`and u.id > ${after}::uuid` : Prisma.empty;
  const everyone = kind === "allowance" && merchantId === null;
  return db.$queryRaw<Owner[]>`
    select u.id::text as id, u.email, u.first_name as name, u.locale, m.business_name as "businessName",
      m.business_name_ar as "businessNameAr"
    from users u join merchants m on m.id = u.merchant_id
    where u.role = 'merchant_owner' and u.status = 'active' and m.status = 'approved' 
      and ${everyone ? Prisma.sql`true` : underConfig(merchantId)}
      ${later}
    order by u.id limit ${OWNERS_AT_ONCE}`;
}

/** The id of the e-mail about one event of a change to one owner: writing it again writes nothing. */
function mailId(...parts: string[]): string {
  const hex = createHash("sha256").update(parts.join(" ")).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Writes the e-mails about one event of a change, in batches. A crash in between leaves the rest for the next run. */
async function mailEvent(db: Db, row: Row, event: ConfigMail): Promise<void> {
  const limit = waitingLimit(row);
  const told = {
    withdrawal: row.withdrawal,
    effectiveAt: row.effectiveAt,
    needsApproval: row.needsApproval && row.approvedById === null,
    before: row.before as Record<string, number | null>,
    after: limit ? { [limit.name]: limit.wanted } : valuesOf(row),
    allowance: limit !== null,
    url: `${env().APP_URL}/merchant/${limit ? "settings" : "points-config"}`,
  };
  for (let last: string | undefined; ; ) {
    const owners = await nextOwners(db, row, last);
    await queueEmails(
      db,
      owners.map(({ id, email: to, name, locale: own, ...names }) => {
        const locale = localeOr(own);
        const params = { ...told, name, merchant: merchantName(names, locale) };
        return { id: mailId(row.id, event, id), to, template: `config_${event}` as const, locale, params };
      }),
    );
    if (owners.length < OWNERS_AT_ONCE) return;
    last = owners.at(-1)?.id;
  }
}

async function mailChanges(db: Db): Promise<void> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select id::text as id from pending_changes where mails <> '{}' order by id limit 200`;
  const changes = await db.pendingChange.findMany({ where: { id: { in: rows.map(({ id }) => id) } } });
  for (const row of changes) {
    for (const event of CONFIG_MAILS) {
      if (!row.mails.includes(event)) continue;
      await mailEvent(db, row, event);
      await db.$executeRaw`
        update pending_changes set mails = array_remove(mails, ${event}::text) where id = ${row.id}::uuid`;
    }
  }
}

async function decide(
  ctx: Context,
  { id }: { id: string },
  action: "config.approved" | "config.cancelled",
  update: Prisma.Sql,
): Promise<ConfigInForce> {
  const { merchantId } = await ctx.db.$transaction(async (tx) => {
    const [decided] = await tx.$queryRaw<{ merchantId: string | null }[]>`
      ${update} returning p.merchant_id::text as "merchantId"`;
    if (!decided) throw await refusal(tx, ctx, id);
    await auditConfig(tx, ctx, decided.merchantId, action);
    return decided;
  });
  return viewConfig(ctx, { merchantId: merchantId ?? undefined });
}

/** Cancels a pending change of the configuration or of a limit, and mails the owners. Answers the configuration in force. */
export const cancelPending = operation({
  permission: "config.edit",
  input: byIdSchema,
  errors: ["pending_not_found"],
  stepUp: true,
  run: async (ctx, change) => {
    const update = Prisma.sql`
      update pending_changes p set closed_at = now(), outcome = 'cancelled', mails = mails || '{cancelled}'::text[]
      where p.id = ${change.id}::uuid and p.closed_at is null`;
    return decide(ctx, change, "config.cancelled", update);
  },
});

async function refusal(tx: Tx, ctx: Context, id: string): Promise<DomainError> {
  const open = await tx.pendingChange.findFirst({ where: { id, closedAt: null } });
  if (!open) return new DomainError("pending_not_found");
  if (open.askedById === ctx.actor.userId) return new DomainError("own_request");
  if (!open.needsApproval || open.approvedById !== null) return new DomainError("no_change");
  const asker = await tx.user.findFirst({
    where: { id: open.askedById, status: "active", role: { in: ["super_admin", "admin"] } },
    select: { id: true },
  });
  // If the asker may not change the configuration any more, the change will not take effect.
  return new DomainError(asker ? "approver_too_new" : "conflict");
}

/** Approves a change; not by an account under 72 hours old or inactive when asked: the asker may own it. */
export const approvePending = operation({
  permission: "config.edit",
  input: byIdSchema,
  errors: ["pending_not_found", "own_request", "no_change", "conflict", "approver_too_new"],
  stepUp: true,
  run: async (ctx, change) => {
    const update = Prisma.sql`
      update pending_changes p set approved_by_id = ${ctx.actor.userId}::uuid, approved_at = now()
      from users u
      where p.id = ${change.id}::uuid and p.closed_at is null and p.needs_approval and p.approved_by_id is null
        and p.asked_by_id <> ${ctx.actor.userId}::uuid and u.id = p.asked_by_id and ${ACTIVE_ADMIN}
        and exists (select from users a where a.id = ${ctx.actor.userId}::uuid and a.active_since < p.asked_at
          and a.created_at <= now() - ${APPROVER_HOURS}::int * interval '1 hour')`;
    return decide(ctx, change, "config.approved", update);
  },
});
