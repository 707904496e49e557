import { audit } from "@/lib/db/audit";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { orTaken } from "@/lib/db/refused";
import { authorize, merchantOf } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import type { CreateWorker, Worker } from "@/lib/domain/worker";
import { invite } from "./invitation";
import { workerFrom, workerSelect } from "./worker-row";

/** Takes a merchant's open branch as a home; held until the end, so that it is not archived meanwhile. */
export async function holdBranch(tx: Tx, branchId: string, merchantId: string): Promise<void> {
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
  const merchantId = merchantOf(authorize(ctx.actor, "workers.manage"), named);
  return orTaken("email_taken", "email", () =>
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
