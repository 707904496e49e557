import { cashValue, formatQar } from "@/lib/domain/money";
import { formatDateTime } from "@/lib/domain/time";
import { type Block, button, facts, note, type Template, text } from "@/lib/email/content";
import { pocketWords, worthOf } from "@/lib/i18n/translate";
import type { MovementType } from "@/lib/ledger/model/movements";
import type { Tender } from "@/lib/ledger/model/tender";

type ReceiptParams = {
  merchant: string;
  name: string;
  kind: MovementType;
  /** Points, signed. */
  points: number;
  /** The paid and the bonus part of the points, signed. */
  paid: number;
  bonus: number;
  tender: Tender | null;
  /** The bill number of the shop. */
  saleRef: string | null;
  /** Points after the movement. */
  balance: number;
  /** The value of a point in dirhams. */
  rate: number;
  /** The value of a point of the balance in dirhams. */
  balanceRate: number;
  /** Null for a movement without a branch. */
  branch: string | null;
  at: Date;
  /** The number of the receipt. */
  reference: string;
  /** The link to freeze the card. */
  notMeUrl: string;
  /** The card's own page; a mail that waited since the version before has none. */
  cardUrl?: string;
};

/** What a posting tells the customer. */
export const receipt: Template<ReceiptParams> = ({ t, locale }, params) => {
  const { merchant, kind } = params;
  const points = Math.abs(params.points);
  // As on the card: QAR first, points second.
  const amount = formatQar(cashValue(params.points, params.rate), locale, true);
  const worth = (value: number, rate: number) => worthOf(locale, value, rate).join(" · ");
  // A bonus and its end are nothing but bonus, as their name says.
  const pockets = kind === "BONUS" || kind === "EXPIRY" ? null : pocketWords(locale, params);
  const blocks: Block[] = [
    text(t("email.common.greeting", { name: params.name })),
    { kind: "figure", value: amount, caption: t(`email.receipt.kinds.${kind}`) },
    facts(
      [t("email.receipt.amount"), worth(points, params.rate)],
      [t("email.receipt.ofWhich"), pockets],
      [t("movements.tender"), params.tender && t(`movements.tenders.${params.tender}`)],
      [t("movements.saleRef"), params.saleRef],
      [t("email.receipt.balance"), worth(params.balance, params.balanceRate)],
      [t("email.receipt.branch"), params.branch],
      [t("email.receipt.time"), formatDateTime(params.at, locale)],
      [t("movements.receiptNumber"), params.reference],
    ),
    ...(params.cardUrl ? [button(t("email.card_welcome.action"), params.cardUrl)] : []),
    note(t("email.receipt.notMe")),
    { kind: "link", label: t("email.receipt.notMeAction"), url: params.notMeUrl },
  ];
  return {
    subject: t("email.receipt.subject", { kind, points, merchant }),
    sender: merchant,
    heading: t("email.receipt.heading", { kind }),
    blocks,
  };
};
