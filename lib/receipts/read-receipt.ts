import { z } from "zod";
import type { Db, Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import type { StaffActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { cashValue } from "@/lib/domain/money";
import { env } from "@/lib/env";
import { noteGroundOf } from "@/lib/files/note";
import { idempotencyKeySchema, type LoggedMovement, requiredId } from "@/lib/ledger/model/movements";
import { viewMovement } from "@/lib/ledger/read-movements";
import { operation } from "@/lib/operations/operation";
import { hasReceipt, type PrintedReceipt, paperWidthOf } from "./model/receipt";
import { customerIdEndOf, receiptLines, receiptNameOf } from "./receipt-lines";

const receiptSchema = z.object({ movementId: requiredId("validation.movement") });
export const printReceiptSchema = receiptSchema.extend({ idempotencyKey: idempotencyKeySchema.optional() });

/** A movement of which a receipt is printed, within the actor's reach. Throws movement_not_found, no_receipt. */
export async function receiptMovement(
  ctx: Context<StaffActor>,
  input: { movementId: string },
): Promise<LoggedMovement> {
  const movement = await viewMovement(ctx, input);
  if (!hasReceipt(movement.type)) throw new DomainError("no_receipt");
  return movement;
}

/** The receipt of a movement. `prints`: how often it was printed, with the print that this is, if it is one. */
export async function printedReceiptOf(
  db: Db | Tx,
  movement: LoggedMovement,
  { prints, printing }: { prints: number; printing: boolean },
): Promise<PrintedReceipt> {
  const shop = await db.merchant.findUniqueOrThrow({
    where: { id: movement.merchant.id },
    select: { id: true, publicId: true, imageKey: true, logoKey: true, colour: true, paperWidth: true },
  });
  const where = { id: movement.reversesId ?? "" };
  const reversed = movement.reversesId
    ? await db.movement.findFirst({ where, select: { tender: true } })
    : null;
  const copy = printing ? prints > 1 : prints > 0;
  const link = `${env().APP_URL}/customer/loyalty-card`;
  const { points, rate, balanceAfter, balanceRate } = movement;
  return {
    id: movement.id,
    type: movement.type,
    prints,
    copy,
    paperWidth: paperWidthOf(shop.paperWidth),
    // Cash goes in, or back to the customer. A copy moves none.
    opensDrawer: !copy && [movement.tender, reversed?.tender].includes("cash"),
    link,
    merchant: movement.merchant.businessName,
    logoKey: shop.logoKey,
    note: await noteGroundOf(db, shop),
    branch: movement.branch?.name ?? null,
    till: movement.till?.name ?? null,
    cashier: movement.actor.name,
    resolver: movement.resolver?.name ?? null,
    at: movement.occurredAt,
    customer: receiptNameOf(movement),
    number: movement.receiptNumber,
    customerCode: movement.customerCode,
    customerIdEnd: customerIdEndOf(movement),
    points,
    amount: cashValue(points, rate),
    bonusPoints: movement.bonusPoints,
    tender: movement.tender,
    saleRef: movement.saleRef,
    balance: balanceAfter,
    balanceValue: cashValue(balanceAfter, balanceRate),
    lines: receiptLines(movement, { copy, link }),
  };
}

/** The receipt of a movement as the next print would be, without printing it. Throws movement_not_found, no_receipt. */
export const viewReceipt = operation({
  permission: "movements.read",
  keyScope: "movements.read",
  input: receiptSchema,
  errors: ["movement_not_found", "no_receipt"],
  readOnly: true,
  run: async (ctx, input): Promise<PrintedReceipt> => {
    const movement = await receiptMovement(ctx, input);
    const printed = await ctx.db.receiptPrint.findUnique({
      where: { movementId: movement.id },
      select: { prints: true },
    });
    return printedReceiptOf(ctx.db, movement, { prints: printed?.prints ?? 0, printing: false });
  },
});
