import { audit } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { mapUniqueViolation } from "@/lib/db/query";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { authorize, merchantWhere, targetMerchantId } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema } from "@/lib/domain/ids";
import { isLocale } from "@/lib/domain/roles";
import {
  type CreateWorker,
  createWorkerSchema,
  type UpdateWorker,
  updateWorkerSchema,
  type Worker,
  type WorkerStatus,
} from "@/lib/domain/worker";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { hashSecret, newSecret } from "@/lib/secrets/secrets";
import { getWorker, workerFrom, workerSelect } from "./read-workers";

/** Takes a merchant's open branch as a home; held until the end, so that it is not archived meanwhile. */
async function holdBranch(tx: Tx, branchId: string, merchantId: string): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    select 1 from branches
    where id = ${branchId}::uuid and merchant_id = ${merchantId}::uuid and archived_at is null
    for share`;
  if (rows.length > 0) return;
  throw new DomainError("branch_not_found", {}, [{ path: "branchId", message: "errors.branch_not_found" }]);
}

/**
 * Makes a worker and mails them a link to set their password, in one transaction.
 * Throws email_taken, branch_not_found, merchant_not_found.
 */
export async function createWorker(ctx: Context, input: CreateWorker): Promise<Worker> {
  const { merchantId: named, ...person } = input;
  const merchantId = targetMerchantId(authorize(ctx.actor, "workers.manage"), named);
  return mapUniqueViolation("email_taken", "email", () =>
    ctx.db.$transaction(async (tx) => {
      await holdBranch(tx, input.branchId, merchantId);
      const row = await tx.user.create({
        data: { ...person, merchantId, role: "branch_worker", status: "invited" },
        select: workerSelect,
      });
      await invite(tx, ctx, row.id);
      await audit(tx, ctx, {
        merchantId,
        action: "worker.created",
        entity: "user",
        entityId: row.id,
        after: { email: row.email, branchId: input.branchId },
      });
      return workerFrom(row);
    }),
  );
}
createWorker.permission = "workers.manage" as const;
createWorker.input = createWorkerSchema;
createWorker.errors = ["email_taken", "branch_not_found", "merchant_not_found"] as const;

type Held = { merchantId: string | null; email: string; status: WorkerStatus; passwordHash: string | null };

/** The worker, locked until the transaction ends: of two changes at once the second sees the first. */
async function hold(tx: Tx, id: string, scope: { merchantId?: string }): Promise<Held> {
  await tx.$queryRaw`select 1 from users where id = ${id}::uuid for update`;
  const row = await tx.user.findFirst({
    where: { id, role: "branch_worker", ...scope },
    select: { merchantId: true, email: true, status: true, passwordHash: true },
  });
  if (!row) throw new DomainError("worker_not_found");
  return row;
}

/** The status that a change leads to; undefined leaves it. Who never set a password is invited again. */
function statusFor(held: Held, active: boolean | undefined): WorkerStatus | undefined {
  if (active === undefined || active === (held.status !== "disabled")) return undefined;
  if (!active) return "disabled";
  return held.passwordHash === null ? "invited" : "active";
}

/** Ends a worker's sessions and links. */
async function shutOut(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx.session.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: now } });
  await tx.passwordToken.updateMany({ where: { userId, usedAt: null }, data: { usedAt: now } });
}

/**
 * Changes a worker within reach. Disabling ends their sessions at once; a new e-mail (only while the invitation is
 * open) and enabling who never set a password send the invitation again.
 * Throws worker_not_found, branch_not_found, email_taken, and validation for the e-mail of one who has joined.
 */
export async function updateWorker(ctx: Context, input: UpdateWorker): Promise<Worker> {
  const scope = merchantWhere(authorize(ctx.actor, "workers.manage"));
  const { id, active, ...fields } = input;
  await mapUniqueViolation("email_taken", "email", () =>
    ctx.db.$transaction(async (tx) => {
      const held = await hold(tx, id, scope);
      const newEmail = input.email !== undefined && input.email !== held.email;
      if (newEmail && held.passwordHash !== null) {
        throw new DomainError("validation", {}, [{ path: "email", message: "validation.emailOwn" }]);
      }
      if (input.branchId && held.merchantId) await holdBranch(tx, input.branchId, held.merchantId);
      const status = statusFor(held, active);
      await tx.user.update({
        where: { id },
        data: { ...fields, ...(status ? { status } : {}) },
        select: { id: true },
      });
      if (status === "disabled") await shutOut(tx, id, ctx.clock());
      const now = status ?? held.status;
      if (now === "invited" && (newEmail || status !== undefined)) await invite(tx, ctx, id);
      await audit(tx, ctx, {
        merchantId: held.merchantId,
        action: status ? `worker.${status === "disabled" ? "disabled" : "enabled"}` : "worker.changed",
        entity: "user",
        entityId: id,
        before: { email: held.email, status: held.status },
        after: { ...fields, ...(status ? { status } : {}) },
      });
    }),
  );
  return getWorker(ctx, { id });
}
updateWorker.permission = "workers.manage" as const;
updateWorker.input = updateWorkerSchema;
updateWorker.errors = ["worker_not_found", "branch_not_found", "email_taken"] as const;

/** Disables a worker: their sessions end at once, their movements stay. Throws worker_not_found. */
export async function disableWorker(ctx: Context, input: { id: string }): Promise<Worker> {
  return updateWorker(ctx, { id: input.id, active: false });
}
disableWorker.permission = "workers.manage" as const;
disableWorker.input = byIdSchema;
disableWorker.errors = ["worker_not_found"] as const;

const PER_WORKER: GuardLimit = { name: "worker-invite", points: 5, seconds: 60 * 60 };

/**
 * Mails an invited worker a new link; the old one stops working. At most 5 an hour.
 * Throws worker_not_found, conflict when the worker has joined or was disabled, rate_limited.
 */
export async function inviteWorker(ctx: Context, input: { id: string }): Promise<{ sent: true }> {
  const scope = merchantWhere(authorize(ctx.actor, "workers.manage"));
  const where = { id: input.id, role: "branch_worker", ...scope } as const;
  const worker = await ctx.db.user.findFirst({ where, select: { merchantId: true } });
  if (!worker) throw new DomainError("worker_not_found");
  await consume(ctx.db, PER_WORKER, input.id);
  await ctx.db.$transaction(async (tx) => {
    // The status in the where: whoever sets their password meanwhile is not locked out by a new link.
    const { count } = await tx.user.updateMany({
      where: { ...where, status: "invited" },
      data: { status: "invited" },
    });
    if (count === 0) throw new DomainError("conflict");
    await invite(tx, ctx, input.id);
    const { merchantId } = worker;
    await audit(tx, ctx, { merchantId, action: "worker.invited", entity: "user", entityId: input.id });
  });
  return { sent: true };
}
inviteWorker.permission = "workers.manage" as const;
inviteWorker.input = byIdSchema;

const LINK_DAYS = 7;

/** Mails a worker the link that sets their password, good for 7 days; an older link stops working. */
async function invite(tx: Tx, ctx: Context, workerId: string): Promise<void> {
  const now = ctx.clock();
  const worker = await tx.user.findUniqueOrThrow({
    where: { id: workerId },
    select: { email: true, firstName: true, locale: true, merchant: { select: { businessName: true } } },
  });
  await tx.passwordToken.updateMany({ where: { userId: workerId, usedAt: null }, data: { usedAt: now } });
  const secret = newSecret();
  await tx.passwordToken.create({
    data: {
      userId: workerId,
      tokenHash: hashSecret(secret),
      expiresAt: new Date(now.getTime() + LINK_DAYS * 86_400_000),
    },
    select: { id: true },
  });
  await queueEmail(tx, {
    to: worker.email,
    template: "worker_invite",
    // Until the worker chooses a language, they get the one of whoever invites them.
    locale: isLocale(worker.locale) ? worker.locale : ctx.locale,
    params: {
      name: worker.firstName,
      merchant: worker.merchant?.businessName ?? "",
      url: `${env().APP_URL}/reset-password/${secret}`,
      days: LINK_DAYS,
    },
  });
}
