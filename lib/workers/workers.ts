import { endAccess, sendInvitation } from "@/lib/accounts/invitations";
import { auditExport, auditUser, difference } from "@/lib/audit/audit";
import type { Db, Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { Prisma, type User } from "@/lib/db/generated/client";
import { type Key, nameKey, type Order, pageIds, pageOf, sortByIds, timeKey } from "@/lib/db/paging";
import {
  andMerchant,
  anyColumnContains,
  branchNotFound,
  MOVEMENT_COUNT,
  MOVEMENT_KIND,
  mapUniqueViolation,
} from "@/lib/db/query";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { merchantWhere, type Reach, targetMerchantId } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema } from "@/lib/domain/ids";
import { BRANCH_REF, MERCHANT_REF, merchantName } from "@/lib/domain/localized-names";
import { parseSort } from "@/lib/domain/paging";
import type { Locale } from "@/lib/domain/roles";
import { qatarDay, qatarMidnight } from "@/lib/domain/time";
import { csvTable } from "@/lib/files/csv";
import { translator } from "@/lib/i18n/translate";
import type { Page } from "@/lib/ledger/model/movements";
import { operation } from "@/lib/operations/operation";
import {
  createWorkerSchema,
  type UpdateWorker,
  updateWorkerSchema,
  type WORKER_SORTS,
  type WorkerStatus,
  type WorkersFilter,
  type WorkerToday,
  workersFilterSchema,
  workersSchema,
} from "./model";
import type { Worker } from "./names";

const ROWS_A_PART = 100;

async function* eachWorker(ctx: Context, filter: WorkersFilter): AsyncGenerator<Worker[]> {
  for (let cursor: string | undefined; ; ) {
    const page = await listWorkers(ctx, { ...filter, cursor, limit: ROWS_A_PART });
    if (page.results.length > 0) yield page.results;
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

/** The workers of the filter within the caller's reach, for a file. The export is audited before it begins. */
export const exportWorkers = operation({
  permission: "workers.manage",
  input: workersFilterSchema,
  readOnly: true,
  mayLag: true,
  stepUp: true,
  run: async (ctx, filter): Promise<AsyncGenerator<Worker[]>> => {
    await auditExport(ctx, "export.workers", filter);
    return eachWorker(ctx, filter);
  },
});

const workerSelect = {
  id: true,
  firstName: true,
  lastName: true,
  email: true,
  phone: true,
  status: true,
  createdAt: true,
  branch: { select: BRANCH_REF },
  merchant: { select: MERCHANT_REF },
} as const;

type WorkerRow = Prisma.UserGetPayload<{ select: typeof workerSelect }>;

const NOTHING = { count: 0, points: 0, gross: 0, dirhams: 0 };
const NO_ACTIVITY: WorkerToday = { topUps: NOTHING, redeems: NOTHING, undone: 0 };

async function activityToday(db: Db, ids: string[], now: Date): Promise<Map<string, WorkerToday>> {
  const sums = await db.$queryRaw<
    (WorkerToday["topUps"] & { actorId: string; kind: string; undone: number })[]
  >`
    with today as (
      select actor_id, type, rate, ${MOVEMENT_KIND}::text as kind,
        case ${MOVEMENT_KIND} when 'REDEEM' then -points else points end as points
      from movements where actor_id = any (${ids}::uuid[]) and created_at >= ${qatarMidnight(now)})
    select actor_id::text as "actorId", kind, sum(${MOVEMENT_COUNT})::int as count, sum(points)::float8 as points,
      sum(points::bigint * rate)::float8 as dirhams,
      coalesce(sum(points) filter (where type <> 'REVERSAL'), 0)::float8 as gross,
      (count(*) filter (where type = 'REVERSAL'))::int as undone
    from today group by actor_id, kind`;
  const days = new Map<string, WorkerToday>();
  for (const { actorId, kind, undone, ...sum } of sums) {
    const day = days.get(actorId) ?? NO_ACTIVITY;
    days.set(actorId, {
      topUps: kind === "TOP_UP" ? sum : day.topUps,
      redeems: kind === "REDEEM" ? sum : day.redeems,
      undone: day.undone + undone,
    });
  }
  return days;
}

/** Maps a row of workerSelect to a worker. A CHECK of the database ensures that a worker has a merchant. */
function workerFrom({ merchant, ...row }: WorkerRow, today: WorkerToday = NO_ACTIVITY): Worker {
  return { ...row, merchant: merchant ?? { id: "", businessName: "", businessNameAr: null }, today };
}

const ofWorker = (id: string, reach: Reach) =>
  ({ id, role: "branch_worker", ...merchantWhere(reach) }) as const;

/** One worker in the caller's scope, with their movements of today. Throws worker_not_found. */
export const getWorker = operation({
  permission: "workers.manage",
  input: byIdSchema,
  errors: ["worker_not_found"],
  readOnly: true,
  run: async (ctx, input): Promise<Worker> => {
    const row = await ctx.db.user.findFirst({ where: ofWorker(input.id, ctx.reach), select: workerSelect });
    if (!row) throw new DomainError("worker_not_found");
    const today = await activityToday(ctx.db, [row.id], ctx.clock());
    return workerFrom(row, today.get(row.id));
  },
});

const KEYS: Record<(typeof WORKER_SORTS)[number], Key[]> = {
  added: [timeKey(Prisma.sql`u.created_at`)],
  name: [nameKey(Prisma.sql`u.first_name`), nameKey(Prisma.sql`u.last_name`)],
};
const IS_WORKER = Prisma.sql`u.role = 'branch_worker'::"Role"`;
const SEARCHED = ["u.first_name", "u.last_name", "u.email", "u.phone"].map(Prisma.raw);

/** A page of the workers in the caller's scope, newest first unless sorted, with their movements of today. */
export const listWorkers = operation({
  permission: "workers.manage",
  input: workersSchema,
  readOnly: true,
  mayLag: true,
  run: async (ctx, query): Promise<Page<Worker>> => {
    const within = Prisma.sql`${IS_WORKER} ${andMerchant(ctx.reach)}`;
    // Each word must match some column, so that first and last name together find a person.
    const words = (query.search ?? "").split(/\s+/).filter(Boolean);
    const conditions = [
      within,
      ...(query.merchantId ? [Prisma.sql`u.merchant_id = ${query.merchantId}::uuid`] : []),
      ...(query.branchId ? [Prisma.sql`u.branch_id = ${query.branchId}::uuid`] : []),
      ...(query.status ? [Prisma.sql`u.status = ${query.status}::"UserStatus"`] : []),
      ...words.map((word) => anyColumnContains(SEARCHED, word)),
    ];
    const listed = { from: Prisma.sql`users u`, within, where: Prisma.join(conditions, " and ") };
    const { field, down } = parseSort(query.sort ?? "-added");
    const order: Order = { keys: KEYS[field], id: Prisma.sql`u.id`, down };
    const ids = await pageIds(ctx.db, listed, order, query);
    const rows = await ctx.db.user.findMany({ where: { id: { in: ids } }, select: workerSelect });
    const today = await activityToday(ctx.db, ids, ctx.clock());
    return pageOf(sortByIds(ids, rows), query, (row) => workerFrom(row, today.get(row.id)));
  },
});

/** Workers as a CSV download in the user's language. The response is streamed. */
export function workersCsv(locale: Locale, parts: AsyncIterable<Worker[]>, now: Date): Response {
  const t = translator(locale);
  return csvTable(
    `workers-${qatarDay(now)}.csv`,
    parts,
    {
      firstName: (worker) => worker.firstName,
      lastName: (worker) => worker.lastName,
      email: (worker) => worker.email,
      phone: (worker) => worker.phone,
      status: (worker) => t(`workers.statuses.${worker.status}`),
      branch: (worker) => worker.branch?.name ?? null,
      added: (worker) => qatarDay(worker.createdAt),
      merchant: (worker) => merchantName(worker.merchant, locale),
    },
    (column) => t(`workers.csv.${column}`),
  );
}

/** Locks an open branch until the transaction ends, so that it is not archived. Throws branch_not_found. */
async function lockOpenBranch(tx: Tx, branchId: string, merchantId: string): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    select 1 from branches
    where id = ${branchId}::uuid and merchant_id = ${merchantId}::uuid and archived_at is null
    for share`;
  if (rows.length === 0) throw branchNotFound();
}

/** An invitation mails an address that the owner typed, whichever call sends it. */
const INVITATIONS_PER_ADDRESS: GuardLimit = { name: "worker-invite-address", points: 10, seconds: 60 * 60 };

/** Counts an invitation of a merchant's to an address. Throws rate_limited. */
const countInvitation = ({ db }: Context, merchantId: string | null, email: string): Promise<number> =>
  consume(db, INVITATIONS_PER_ADDRESS, `${merchantId}|${email}`);

/** Creates a worker and e-mails them a link to set their password, at most 10 an hour to an address. */
export const createWorker = operation({
  permission: "workers.manage",
  input: createWorkerSchema,
  errors: ["email_taken", "branch_not_found", "merchant_not_found"],
  run: async (ctx, input): Promise<Worker> => {
    const { merchantId: requestedMerchantId, ...person } = input;
    const merchantId = targetMerchantId(ctx.reach, requestedMerchantId);
    await countInvitation(ctx, merchantId, input.email);
    return mapUniqueViolation("email_taken", "email", () =>
      ctx.db.$transaction(async (tx) => {
        await lockOpenBranch(tx, input.branchId, merchantId);
        const row = await tx.user.create({
          data: { ...person, merchantId, role: "branch_worker", status: "invited" },
          select: workerSelect,
        });
        await sendInvitation(tx, ctx, row.id);
        const after = { email: row.email, branchId: input.branchId };
        await auditUser(tx, ctx, { id: row.id, merchantId }, { action: "worker.created", after });
        return workerFrom(row);
      }),
    );
  },
});

/** The worker, locked until the transaction ends, so that concurrent changes run one after the other. */
async function lockWorker(tx: Tx, id: string, reach: Reach): Promise<User> {
  await tx.$queryRaw`select 1 from users where id = ${id}::uuid for update`;
  const row = await tx.user.findFirst({ where: ofWorker(id, reach) });
  if (!row) throw new DomainError("worker_not_found");
  return row;
}

/** The worker's new status; undefined for no change. Enabling a worker without a password makes them invited again. */
function statusFor(worker: User, active: boolean | undefined): WorkerStatus | undefined {
  if (active === undefined || active === (worker.status !== "disabled")) return undefined;
  if (!active) return "disabled";
  return worker.passwordHash === null ? "invited" : "active";
}

/** Counts the invitation that a change may send: whether it does is known only under the lock, where nothing is counted. */
async function countPossibleInvitation(
  ctx: Context,
  reach: Reach,
  { id, email }: UpdateWorker,
): Promise<void> {
  const where = { ...ofWorker(id, reach), passwordHash: null };
  const worker = await ctx.db.user.findFirst({ where, select: { merchantId: true, email: true } });
  if (worker) await countInvitation(ctx, worker.merchantId, email ?? worker.email);
}

/**
 * Changes a worker; disabling ends their sessions. A new e-mail before they joined, and enabling one without a password, sends
 * the invitation again. Throws rate_limited, and validation for a new e-mail after the worker joined.
 */
export const updateWorker = operation({
  permission: "workers.manage",
  input: updateWorkerSchema,
  errors: ["worker_not_found", "branch_not_found", "email_taken"],
  run: async (ctx, input): Promise<Worker> => {
    const { id, active, ...fields } = input;
    if (input.email !== undefined || active) await countPossibleInvitation(ctx, ctx.reach, input);
    await mapUniqueViolation("email_taken", "email", () =>
      ctx.db.$transaction(async (tx) => {
        const worker = await lockWorker(tx, id, ctx.reach);
        const newEmail = input.email !== undefined && input.email !== worker.email;
        if (newEmail && worker.passwordHash !== null) {
          throw new DomainError("validation", {}, [{ path: "email", message: "validation.emailOwn" }]);
        }
        if (input.branchId && worker.merchantId) await lockOpenBranch(tx, input.branchId, worker.merchantId);
        const status = statusFor(worker, active);
        const change = { ...fields, ...(status ? { status } : {}) };
        await tx.user.update({ where: { id }, data: change, select: { id: true } });
        if (status === "disabled") await endAccess(tx, id, ctx.clock());
        const newStatus = status ?? worker.status;
        if (newStatus === "invited" && (newEmail || status !== undefined)) await sendInvitation(tx, ctx, id);
        const changed = difference(worker, change);
        if (!changed) return;
        const user = { id, merchantId: worker.merchantId };
        await auditUser(tx, ctx, user, {
          action: status ? `worker.${status === "disabled" ? "disabled" : "enabled"}` : "worker.changed",
          ...changed,
        });
      }),
    );
    return getWorker(ctx, { id });
  },
});

/** Disables a worker and ends their sessions; their movements stay. Throws worker_not_found. */
export const disableWorker = operation({
  permission: "workers.manage",
  input: byIdSchema,
  errors: ["worker_not_found"],
  run: async (ctx, input): Promise<Worker> => updateWorker(ctx, { id: input.id, active: false }),
});

const INVITATIONS_PER_WORKER: GuardLimit = { name: "worker-invite", points: 5, seconds: 60 * 60 };

/** E-mails an invited worker a new link. Throws worker_not_found, rate_limited, conflict when they joined or are disabled. */
export const inviteWorker = operation({
  permission: "workers.manage",
  input: byIdSchema,
  run: async (ctx, input): Promise<{ sent: true }> => {
    const where = ofWorker(input.id, ctx.reach);
    const worker = await ctx.db.user.findFirst({ where, select: { merchantId: true, email: true } });
    if (!worker) throw new DomainError("worker_not_found");
    await consume(ctx.db, INVITATIONS_PER_WORKER, input.id);
    await countInvitation(ctx, worker.merchantId, worker.email);
    await ctx.db.$transaction(async (tx) => {
      // The where decides: a worker who sets their password meanwhile keeps it.
      const { count } = await tx.user.updateMany({
        where: { ...where, status: "invited" },
        data: { status: "invited" },
      });
      if (count === 0) throw new DomainError("conflict");
      await sendInvitation(tx, ctx, input.id);
      await auditUser(tx, ctx, { id: input.id, merchantId: worker.merchantId }, { action: "worker.invited" });
    });
    return { sent: true };
  },
});
