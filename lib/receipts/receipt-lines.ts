import { branchName } from "@/lib/domain/branch-name";
import { merchantNames } from "@/lib/domain/merchant-name";
import { cashValue, formatQar, formatSignedPoints } from "@/lib/domain/money";
import { LOCALES, type Locale } from "@/lib/domain/roles";
import { formatDateTime } from "@/lib/domain/time";
import { pocketWords, translator, worthOf } from "@/lib/i18n/translate";
import type { LoggedMovement } from "@/lib/ledger/model/movements";
import { firstNameOf, type PaperLine } from "./model/receipt";

const LAST = 4;

/** The end of the public id. Receipts of cards without a code show it. */
export const customerIdEndOf = ({ customer }: LoggedMovement): string => customer.publicId.slice(-LAST);

/** The customer as a receipt names them: by the first name. Null for a deleted card. */
export const receiptNameOf = ({ customer, customerErased }: LoggedMovement): string | null =>
  customerErased ? null : firstNameOf(customer.fullName);

type Pair = Record<Locale, string>;

/** A text in both languages. */
function both(say: (locale: Locale, t: ReturnType<typeof translator>) => string): Pair {
  const [en, ar] = LOCALES.map((locale) => say(locale, translator(locale)));
  return { en: en ?? "", ar: ar ?? "" };
}

const label = (pair: Pair): PaperLine => ({ kind: "pair", size: "label", ...pair });
const value = (pair: Pair): PaperLine => ({ kind: "pair", size: "value", ...pair });
const RULE: PaperLine = { kind: "rule" };

/** A name or a number, the same in both languages, below its label; nothing without one. */
const named = (words: Pair, text: string | null, kind: "text" | "code" = "text"): PaperLine[] =>
  text ? [label(words), { kind, text }] : [];

function amountLines(movement: LoggedMovement): PaperLine[] {
  const { points, rate, tender } = movement;
  return [
    value(both((_, t) => t(`email.receipt.kinds.${movement.type}`))),
    { kind: "pair", size: "figure", ...both((locale) => formatQar(cashValue(points, rate), locale, true)) },
    value(both((locale) => formatSignedPoints(points, locale))),
    ...(tender ? [value(both((_, t) => t(`receipts.paid.${tender}`)))] : []),
  ];
}

function balanceLines(movement: LoggedMovement): PaperLine[] {
  const { paidPoints: paid, bonusPoints: bonus, rate, balanceAfter, balanceRate } = movement;
  return [
    ...(bonus === 0
      ? []
      : [
          label(both((_, t) => t("email.receipt.ofWhich"))),
          value(both((locale) => pocketWords(locale, { paid, bonus, rate }) ?? "")),
        ]),
    label(both((_, t) => t("movements.balanceAfter"))),
    ...([0, 1] as const).map((part) =>
      value(both((locale) => worthOf(locale, balanceAfter, balanceRate)[part])),
    ),
  ];
}

/** The lines of a movement's receipt from top to bottom. `link` is what the QR opens. */
export function receiptLines(
  movement: LoggedMovement,
  { copy, link }: { copy: boolean; link: string },
): PaperLine[] {
  const { merchant, branch, till, saleRef, actor, resolver, occurredAt, customerCode, receiptNumber } =
    movement;
  const names = [...new Set(LOCALES.map((locale) => branch && branchName(branch, locale)))];
  const place = [...names, till?.name].filter(Boolean).join(" · ");
  const card = customerCode ?? `•••• ${customerIdEndOf(movement)}`;
  const customer = [receiptNameOf(movement), card].filter(Boolean).join(" ");
  return [
    ...merchantNames(merchant).map((text) => ({ kind: "title" as const, text })),
    ...(place ? [{ kind: "text" as const, text: place }] : []),
    ...(copy
      ? [{ kind: "pair" as const, size: "copy" as const, ...both((_, t) => t("receipts.copy")) }]
      : []),
    RULE,
    ...amountLines(movement),
    RULE,
    ...balanceLines(movement),
    RULE,
    ...named(
      both((_, t) => t("movements.saleRef")),
      saleRef,
    ),
    ...named(
      both((_, t) => t("movements.customer")),
      customer,
    ),
    ...named(
      both((_, t) => t("receipts.cashier")),
      actor.name,
    ),
    ...named(
      both((_, t) => t("movements.resolver")),
      resolver?.name ?? null,
    ),
    label(both((_, t) => t("email.receipt.time"))),
    value(both((locale) => formatDateTime(occurredAt, locale))),
    ...named(
      both((_, t) => t("movements.receiptNumber")),
      receiptNumber,
      "code",
    ),
    RULE,
    { kind: "qr", text: link },
    label(both((_, t) => t("receipts.card"))),
  ];
}
