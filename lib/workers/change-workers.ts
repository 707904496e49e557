import { endAccess, sendInvitation } from "@/lib/accounts/invitations";
import { auditUser, difference } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { mapUniqueViolation } from "@/lib/db/query";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { merchantWhere, targetMerchantId } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema } from "@/lib/domain/ids";
import { operation } from "@/lib/operations/operation";
import { createWorkerSchema, updateWorkerSchema, type Worker, type WorkerStatus } from "./model";
import { getWorker, workerFrom, workerSelect } from "./read-workers";

/**
 * Locks an open branch of the merchant until the transaction ends, so that it is not archived meanwhile.
 * Throws branch_not_found.
 */
async function lockOpenBranch(tx: Tx, branchId: string, merchantId: string): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    select 1 from branches
    where id = ${branchId}::uuid and merchant_id = ${merchantId}::uuid and archived_at is null
    for share`;
  if (rows.length > 0) return;
  throw new DomainError("branch_not_found", {}, [{ path: "branchId", message: "errors.branch_not_found" }]);
}

/**
 * Creates a worker and e-mails them a link to set their password, in one transaction.
 * Throws email_taken, branch_not_found, merchant_not_found.
 */
export const createWorker = operation({
  permission: "workers.manage",
  input: createWorkerSchema,
  errors: ["email_taken", "branch_not_found", "merchant_not_found"],
  run: async (ctx, input): Promise<Worker> => {
    const { merchantId: requestedMerchantId, ...person } = input;
    const merchantId = targetMerchantId(ctx.reach, requestedMerchantId);
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

const LOCKED = {
  merchantId: true,
  email: true,
  firstName: true,
  lastName: true,
  phone: true,
  branchId: true,
  status: true,
  passwordHash: true,
} as const;
type LockedWorker = Prisma.UserGetPayload<{ select: typeof LOCKED }>;

/** The worker, locked until the transaction ends, so that concurrent changes run one after the other. */
async function lockWorker(tx: Tx, id: string, scope: { merchantId?: string }): Promise<LockedWorker> {
  await tx.$queryRaw`select 1 from users where id = ${id}::uuid for update`;
  const where = { id, role: "branch_worker", ...scope } as const;
  const row = await tx.user.findFirst({ where, select: LOCKED });
  if (!row) throw new DomainError("worker_not_found");
  return row;
}

const valuesOf = ({ merchantId: _merchant, passwordHash: _hash, ...values }: LockedWorker) => values;

/** The worker's new status; undefined for no change. Enabling a worker without a password makes them invited again. */
function statusFor(worker: LockedWorker, active: boolean | undefined): WorkerStatus | undefined {
  if (active === undefined || active === (worker.status !== "disabled")) return undefined;
  if (!active) return "disabled";
  return worker.passwordHash === null ? "invited" : "active";
}

/**
 * Changes a worker in the caller's scope. Disabling ends their sessions. The invitation is sent again when the e-mail
 * of an invited worker changes, or when a worker without a password is enabled.
 * Throws worker_not_found, branch_not_found, email_taken, and validation for a new e-mail after the worker joined.
 */
export const updateWorker = operation({
  permission: "workers.manage",
  input: updateWorkerSchema,
  errors: ["worker_not_found", "branch_not_found", "email_taken"],
  run: async (ctx, input): Promise<Worker> => {
    const scope = merchantWhere(ctx.reach);
    const { id, active, ...fields } = input;
    await mapUniqueViolation("email_taken", "email", () =>
      ctx.db.$transaction(async (tx) => {
        const worker = await lockWorker(tx, id, scope);
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
        const user = { id, merchantId: worker.merchantId };
        await auditUser(tx, ctx, user, {
          action: status ? `worker.${status === "disabled" ? "disabled" : "enabled"}` : "worker.changed",
          ...difference(valuesOf(worker), change),
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

/**
 * E-mails an invited worker a new link; older links stop working. At most 5 an hour for each worker.
 * Throws worker_not_found, rate_limited, conflict when the worker has joined or is disabled.
 */
export const inviteWorker = operation({
  permission: "workers.manage",
  input: byIdSchema,
  run: async (ctx, input): Promise<{ sent: true }> => {
    const scope = merchantWhere(ctx.reach);
    const where = { id: input.id, role: "branch_worker", ...scope } as const;
    const worker = await ctx.db.user.findFirst({ where, select: { merchantId: true } });
    if (!worker) throw new DomainError("worker_not_found");
    await consume(ctx.db, INVITATIONS_PER_WORKER, input.id);
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
