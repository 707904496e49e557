import { createHash, randomUUID } from "node:crypto";
import { spendCode } from "@/lib/codes/codes";
import type { Tx } from "@/lib/db/client";
import { givenTime, type PublicContext } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { type EraseCustomer, eraseCustomerSchema } from "@/lib/domain/card-holder";
import { DomainError } from "@/lib/domain/errors";
import { tellPass } from "@/lib/jobs/add-job";
import { postBatch } from "@/lib/ledger/batch";
import { codeCard } from "./card-code";
import { assertCardHolder } from "./card-holder";

/** Posts what is given up as an ADJUSTMENT, so that the balance stays the sum of its movements. */
async function giveUp(tx: Tx, ctx: PublicContext, customerId: string, points: number): Promise<void> {
  // A movement names a branch and a member of staff: the last branch that served the card, and the merchant's owner.
  const [at] = await tx.$queryRaw<{ branch: string; actor: string }[]>`
    select m.branch_id::text as branch, u.id::text as actor
    from movements m join users u on u.merchant_id = m.merchant_id and u.role = 'merchant_owner'
    where m.customer_id = ${customerId}::uuid order by m.seq desc, u.created_at limit 1`;
  if (!at) throw new DomainError("conflict");
  // The code is spent once, so this is never repeated: a key that nobody can have taken before.
  const key = randomUUID();
  const [outcome] = await postBatch(
    tx,
    [
      {
        type: "ADJUSTMENT",
        customer: customerId,
        branch: at.branch,
        actor: at.actor,
        scope: "any",
        points: -points,
        reason: "Given up by the customer, who deleted the card",
        key,
        hash: createHash("sha256").update(`erase:${customerId}:${points}`).digest("hex"),
        at: givenTime(ctx),
      },
    ],
    { quiet: true },
  );
  if (outcome?.outcome !== "posted") throw new DomainError("balance_not_given_up");
}

/** Takes every trace of the person away; what is left are movements of a nameless card. */
async function forget(tx: Tx, customerId: string, email: string): Promise<void> {
  await tx.cardHolder.deleteMany({ where: { customerId } });
  await tx.code.deleteMany({ where: { OR: [{ customerId }, { email, purpose: "register" }] } });
  await tx.verification.deleteMany({ where: { email } });
  // What waits for another card of the same address still goes out.
  const over = { recipient: email, status: { in: ["sent" as const, "failed" as const] } };
  await tx.email.deleteMany({ where: { OR: [{ customerId }, over] } });
  await tx.audit.updateMany({
    where: { entity: "customer", entityId: customerId },
    data: { before: Prisma.DbNull, after: Prisma.DbNull },
  });
  const what = { action: "customer.erased", entity: "customer", entityId: customerId };
  await tx.audit.create({ data: what, select: { id: true } });
}

/** The card's wallet pass is void from the commit on; where jobs run, the devices that hold it hear so. */
async function voidPass(tx: Tx, customerId: string, now: Date): Promise<void> {
  const voided = await tx.$executeRaw`
    update passes set voided_at = ${now}::timestamptz,
      changed_at = greatest(date_trunc('milliseconds', now()), changed_at + interval '1 second')
    where customer_id = ${customerId}::uuid and voided_at is null`;
  if (voided > 0) await tellPass(tx, "customer_erased", customerId);
}

/**
 * Deletes a card for its holder, by the mailed code: personal fields are erased, the ledger keeps its sums.
 * Throws card_holder_required, code_invalid, code_expired, and balance_not_given_up unless `giveUp` is the balance.
 */
export async function eraseCustomer(
  ctx: PublicContext,
  input: EraseCustomer,
): Promise<{ customerId: string }> {
  const { id, email } = await codeCard(ctx, input.customerId);
  await assertCardHolder(ctx.db, id, input.holder);
  const points = input.giveUp ?? 0;
  // Said before the code is spent; what counts is the check of the write below.
  const { balance } = await ctx.db.customer.findUniqueOrThrow({ where: { id }, select: { balance: true } });
  if (balance !== points) throw new DomainError("balance_not_given_up");
  await spendCode(ctx.db, { purpose: "erase", email, customerId: id }, input.code, ctx.clock());
  await ctx.db.$transaction(async (tx) => {
    if (points > 0) await giveUp(tx, ctx, id, points);
    const { count } = await tx.customer.updateMany({
      where: { id, balance: 0, email, status: { not: "erased" } },
      data: {
        status: "erased",
        erasedAt: ctx.clock(),
        fullName: "–",
        email: null,
        phone: null,
        dateOfBirth: null,
      },
    });
    if (count === 0) throw new DomainError("balance_not_given_up");
    await forget(tx, id, email);
    await voidPass(tx, id, ctx.clock());
  });
  return { customerId: id };
}
eraseCustomer.permission = "public" as const;
eraseCustomer.input = eraseCustomerSchema;
