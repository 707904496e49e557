import { audit } from "@/lib/audit/audit";
import { operation } from "@/lib/operations/operation";
import type { PrintedReceipt } from "./names";
import { printedReceiptOf, printReceiptSchema, receiptMovement } from "./read-receipt";

/**
 * Counts a print of a movement's receipt and answers what is printed: the first is the original, every later one a copy,
 * which the audit log keeps. The same idempotency key of the same user is the same print, as long as no other came after
 * it. Throws movement_not_found, no_receipt.
 */
export const printReceipt = operation({
  permission: "receipts.print",
  input: printReceiptSchema,
  errors: ["movement_not_found", "no_receipt"],
  run: async (ctx, input): Promise<PrintedReceipt> => {
    const movement = await receiptMovement(ctx, input);
    const key = input.idempotencyKey ? `${ctx.actor.userId} ${input.idempotencyKey}` : null;
    return ctx.db.$transaction(async (tx) => {
      const [counted] = await tx.$queryRaw<{ prints: number; again: boolean }[]>`
      insert into receipt_prints as p (movement_id, prints, last_key) values (${movement.id}::uuid, 1, ${key})
      on conflict (movement_id) do update set last_key = excluded.last_key,
        prints = p.prints + case when p.last_key = excluded.last_key then 0 else 1 end
      returning prints, old.last_key is not null and old.last_key = new.last_key as again`;
      const prints = counted?.prints ?? 1;
      if (prints > 1 && !counted?.again) {
        // The movement has the id that the cashier may see; the log has the customer's own.
        const where = { id: movement.id };
        const { customerId } = await tx.movement.findFirstOrThrow({ where, select: { customerId: true } });
        await audit(tx, ctx, {
          merchantId: movement.merchant.id,
          action: "customer.receipt_copied",
          entity: "customer",
          entityId: customerId,
          after: { movementId: movement.id, prints },
        });
      }
      return printedReceiptOf(tx, movement, { prints, printing: true });
    });
  },
});
