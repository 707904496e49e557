import { audit } from "@/lib/db/audit";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { orTaken } from "@/lib/db/refused";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import type { UpdateWorker, Worker, WorkerStatus } from "@/lib/domain/worker";
import { holdBranch } from "./create-worker";
import { getWorker } from "./get-worker";
import { invite } from "./invitation";

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
  await orTaken("email_taken", "email", () =>
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
