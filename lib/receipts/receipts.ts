import { z } from "zod";
import { auditCustomer } from "@/lib/audit/audit";
import type { Db, Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import type { StaffActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { branchName, merchantNames } from "@/lib/domain/localized-names";
import { cashValue, formatQar, formatSignedPoints } from "@/lib/domain/money";
import { LOCALES, type Locale } from "@/lib/domain/roles";
import { formatDateTime } from "@/lib/domain/time";
import { env } from "@/lib/env";
import { noteGroundOf } from "@/lib/files/note";
import { pocketWords, translator, worthOf } from "@/lib/i18n/translate";
import { idempotencyKeySchema, type LoggedMovement, requiredId } from "@/lib/ledger/model/movements";
import { viewMovement } from "@/lib/ledger/read-movements";
import { operation } from "@/lib/operations/operation";
import { firstNameOf, hasReceipt, type PaperLine, paperWidthOf } from "./model/receipt";
import type { PrintedReceipt } from "./names";

const receiptSchema = z.object({ movementId: requiredId("validation.movement") });

/** A movement of which a receipt is printed, within the actor's reach. Throws movement_not_found, no_receipt. */
async function receiptMovement(ctx: Context<StaffActor>, movementId: string): Promise<LoggedMovement> {
  const movement = await viewMovement(ctx, { movementId });
  if (!hasReceipt(movement.type)) throw new DomainError("no_receipt");
  return movement;
}

/** The receipt of a movement. `prints`: how often it was printed, with the print that this is, if it is one. */
async function printedReceiptOf(
  db: Db | Tx,
  movement: LoggedMovement,
  { prints, printing }: { prints: number; printing: boolean },
): Promise<PrintedReceipt> {
  const shop = await db.merchant.findUniqueOrThrow({
    where: { id: movement.merchant.id },
    select: { id: true, publicId: true, imageKey: true, logoKey: true, colour: true, paperWidth: true },
  });
  const reversed = movement.reversesId
    ? await db.movement.findFirst({ where: { id: movement.reversesId }, select: { tender: true } })
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
    const movement = await receiptMovement(ctx, input.movementId);
    const printed = await ctx.db.receiptPrint.findUnique({
      where: { movementId: movement.id },
      select: { prints: true },
    });
    return printedReceiptOf(ctx.db, movement, { prints: printed?.prints ?? 0, printing: false });
  },
});

/** Counts a print; copies are audited. The last print's key by the same user is that print again. */
export const printReceipt = operation({
  permission: "receipts.print",
  input: receiptSchema.extend({ idempotencyKey: idempotencyKeySchema.optional() }),
  errors: ["movement_not_found", "no_receipt"],
  run: async (ctx, input): Promise<PrintedReceipt> => {
    const movement = await receiptMovement(ctx, input.movementId);
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
        const customer = { id: customerId, merchantId: movement.merchant.id };
        const after = { movementId: movement.id, prints };
        await auditCustomer(tx, ctx, customer, { action: "customer.receipt_copied", after });
      }
      return printedReceiptOf(tx, movement, { prints, printing: true });
    });
  },
});

/** The last four characters of the public id. Receipts of cards without a code show it. */
const customerIdEndOf = ({ customer }: LoggedMovement): string => customer.publicId.slice(-4);

/** The customer as a receipt names them: by the first name. Null for a deleted card. */
const receiptNameOf = ({ customer, customerErased }: LoggedMovement): string | null =>
  customerErased ? null : firstNameOf(customer.fullName);

type Pair = Record<Locale, string>;

function both(say: (locale: Locale) => string): Pair {
  const [en, ar] = LOCALES.map(say);
  return { en: en ?? "", ar: ar ?? "" };
}

const words = (key: Parameters<ReturnType<typeof translator>>[0]): Pair =>
  both((locale) => translator(locale)(key));

const label = (pair: Pair): PaperLine => ({ kind: "pair", size: "label", ...pair });
const value = (pair: Pair): PaperLine => ({ kind: "pair", size: "value", ...pair });
const RULE: PaperLine = { kind: "rule" };

/** A name or a number, the same in both languages, below its label; nothing without one. */
const named = (title: Pair, text: string | null, kind: "text" | "code" = "text"): PaperLine[] =>
  text ? [label(title), { kind, text }] : [];

/** The lines of a movement's receipt from top to bottom. `link` is what the QR opens. */
function receiptLines(
  movement: LoggedMovement,
  { copy, link }: { copy: boolean; link: string },
): PaperLine[] {
  const { merchant, branch, till, saleRef, actor, resolver, occurredAt, customerCode, receiptNumber } =
    movement;
  const { points, rate, tender, paidPoints: paid, bonusPoints: bonus, balanceAfter, balanceRate } = movement;
  const names = [...new Set(LOCALES.map((locale) => branch && branchName(branch, locale)))];
  const place = [...names, till?.name].filter(Boolean).join(" · ");
  const card = customerCode ?? `•••• ${customerIdEndOf(movement)}`;
  const customer = [receiptNameOf(movement), card].filter(Boolean).join(" ");
  return [
    ...merchantNames(merchant).map((text) => ({ kind: "title" as const, text })),
    ...(place ? [{ kind: "text" as const, text: place }] : []),
    ...(copy ? [{ kind: "pair" as const, size: "copy" as const, ...words("receipts.copy") }] : []),
    RULE,
    value(words(`email.receipt.kinds.${movement.type}`)),
    { kind: "pair", size: "figure", ...both((locale) => formatQar(cashValue(points, rate), locale, true)) },
    value(both((locale) => formatSignedPoints(points, locale))),
    ...(tender ? [value(words(`receipts.paid.${tender}`))] : []),
    RULE,
    ...(bonus === 0
      ? []
      : [
          label(words("email.receipt.ofWhich")),
          value(both((locale) => pocketWords(locale, { paid, bonus, rate }) ?? "")),
        ]),
    label(words("movements.balanceAfter")),
    ...([0, 1] as const).map((part) =>
      value(both((locale) => worthOf(locale, balanceAfter, balanceRate)[part])),
    ),
    RULE,
    ...named(words("movements.saleRef"), saleRef),
    ...named(words("movements.customer"), customer),
    ...named(words("receipts.cashier"), actor.name),
    ...named(words("movements.resolver"), resolver?.name ?? null),
    label(words("email.receipt.time")),
    value(both((locale) => formatDateTime(occurredAt, locale))),
    ...named(words("movements.receiptNumber"), receiptNumber, "code"),
    RULE,
    { kind: "qr", text: link },
    label(words("receipts.card")),
  ];
}
