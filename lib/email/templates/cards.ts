import { cashValue, formatQar } from "@/lib/domain/money";
import { formatDateTime } from "@/lib/domain/time";
import { type Block, button, note, type Template, text } from "@/lib/email/content";
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
type CardFrozenParams = { name: string; merchant: string; customer: string; at: Date; url: string };
/** `email` is the new address, masked; `notMeUrl` is the link to freeze the card. */
type EmailChangedParams = {
  name: string;
  merchant: string;
  email: string;
  at: Date;
  notMeUrl: string;
};
/**
 * `email` is the new address, masked; `by` who asked for it; `at` when it is applied; `stopUrl` the link that stops it,
 * if the recipient may; `reason` what staff wrote.
 */
type EmailChangeAskedParams = {
  name: string;
  merchant: string;
  email: string;
  by: "holder" | "staff";
  at: Date;
  stopUrl?: string;
  reason?: string;
};
/** `device` as it showed itself; `endUrl` ends it. */
type CardDeviceParams = { name: string; merchant: string; device: string | null; at: Date; endUrl: string };
/** `cards`: each with the link that opens it once. */
type MyCardsParams = { cards: { merchant: string; url: string }[]; minutes: number };
/** `url` leads the owner to the customer. */
type UnfreezeAskedParams = { name: string; merchant: string; customer: string; url: string };
type CardWelcomeParams = { name: string; merchant: string; url: string };

const receipt: Template<ReceiptParams> = ({ t, locale }, params) => {
  const { merchant, kind } = params;
  const points = Math.abs(params.points);
  // As on the card: QAR first, points second.
  const amount = formatQar(cashValue(params.points, params.rate), locale, true);
  const worth = (value: number, rate: number) => worthOf(locale, value, rate).join(" · ");
  // A bonus and its end are nothing but bonus, as their name says.
  const pockets = kind === "BONUS" || kind === "EXPIRY" ? null : pocketWords(locale, params);
  const rows = [
    { label: t("email.receipt.amount"), value: worth(points, params.rate) },
    ...(pockets === null ? [] : [{ label: t("email.receipt.ofWhich"), value: pockets }]),
    ...(params.tender === null
      ? []
      : [{ label: t("movements.tender"), value: t(`movements.tenders.${params.tender}`) }]),
    ...(params.saleRef === null ? [] : [{ label: t("movements.saleRef"), value: params.saleRef }]),
    { label: t("email.receipt.balance"), value: worth(params.balance, params.balanceRate) },
    ...(params.branch === null ? [] : [{ label: t("email.receipt.branch"), value: params.branch }]),
    { label: t("email.receipt.time"), value: formatDateTime(params.at, locale) },
    { label: t("movements.receiptNumber"), value: params.reference },
  ];
  const blocks: Block[] = [
    text(t("email.common.greeting", { name: params.name })),
    { kind: "figure", value: amount, caption: t(`email.receipt.kinds.${kind}`) },
    { kind: "facts", rows },
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

const cardFrozen: Template<CardFrozenParams> = ({ t, locale }, params) => ({
  subject: t("email.card_frozen.subject", { customer: params.customer }),
  sender: params.merchant,
  heading: t("email.card_frozen.heading"),
  blocks: [
    text(t("email.common.greeting", { name: params.name })),
    text(t("email.card_frozen.body", { customer: params.customer, time: formatDateTime(params.at, locale) })),
    button(t("email.card_frozen.action"), params.url),
    note(t("email.card_frozen.note")),
  ],
});

const cardWelcome: Template<CardWelcomeParams> = ({ t }, { name, merchant, url }) => ({
  subject: t("email.card_welcome.subject", { merchant }),
  sender: merchant,
  heading: t("email.card_welcome.heading"),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.card_welcome.body", { merchant })),
    button(t("email.card_welcome.action"), url),
    note(t("email.card_welcome.note")),
  ],
});

const emailChanged: Template<EmailChangedParams> = (
  { t, locale },
  { name, merchant, email, at, notMeUrl },
) => ({
  subject: t("email.email_changed.subject", { merchant }),
  sender: merchant,
  heading: t("email.email_changed.heading"),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.email_changed.body", { merchant, email, time: formatDateTime(at, locale) })),
    note(t("email.email_changed.notMe")),
    button(t("email.email_changed.action"), notMeUrl),
  ],
});

const emailChangeAsked: Template<EmailChangeAskedParams> = ({ t, locale }, params) => {
  const { name, merchant, email, by, at, stopUrl, reason } = params;
  const values = { merchant, email, time: formatDateTime(at, locale) };
  return {
    subject: t("email.email_change_asked.subject", { merchant }),
    sender: merchant,
    heading: t("email.email_change_asked.heading"),
    blocks: [
      text(t("email.common.greeting", { name })),
      text(t(`email.email_change_asked.body.${by}`, values)),
      ...(reason
        ? [{ kind: "facts" as const, rows: [{ label: t("email.email_change_asked.reason"), value: reason }] }]
        : []),
      note(t(`email.email_change_asked.${stopUrl ? "note" : "noteStaff"}`, { merchant })),
      ...(stopUrl ? [button(t("email.email_change_asked.action"), stopUrl)] : []),
    ],
  };
};

const cardDevice: Template<CardDeviceParams> = ({ t, locale }, { name, merchant, device, at, endUrl }) => ({
  subject: t("email.card_device.subject", { merchant }),
  sender: merchant,
  heading: t("email.card_device.heading"),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.card_device.body", { merchant })),
    {
      kind: "facts",
      rows: [
        { label: t("email.card_device.time"), value: formatDateTime(at, locale) },
        { label: t("email.card_device.device"), value: device ?? t("account.sessions.unknown") },
      ],
    },
    note(t("email.card_device.note")),
    button(t("email.card_device.action"), endUrl),
  ],
});

const myCards: Template<MyCardsParams> = ({ t }, { cards, minutes }) => ({
  subject: t("email.my_cards.subject", { count: cards.length }),
  sender: t("email.common.product"),
  heading: t("email.my_cards.heading", { count: cards.length }),
  blocks: [
    text(t("email.my_cards.body", { minutes })),
    ...cards.map(({ merchant, url }) => button(t("email.my_cards.action", { merchant }), url)),
    note(t("email.my_cards.note")),
  ],
});

const unfreezeAsked: Template<UnfreezeAskedParams> = ({ t }, { name, merchant, customer, url }) => ({
  subject: t("email.unfreeze_asked.subject", { customer }),
  sender: merchant,
  heading: t("email.unfreeze_asked.heading"),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.unfreeze_asked.body", { customer })),
    button(t("email.card_frozen.action"), url),
    note(t("email.card_frozen.note")),
  ],
});

export const CARD_TEMPLATES = {
  my_cards: myCards,
  unfreeze_asked: unfreezeAsked,
  receipt,
  card_frozen: cardFrozen,
  card_welcome: cardWelcome,
  email_changed: emailChanged,
  email_change_asked: emailChangeAsked,
  card_device: cardDevice,
};
