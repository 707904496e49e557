import { cashValue, formatPoints, formatQar } from "@/lib/domain/money";
import { formatDateTime } from "@/lib/domain/time";
import {
  type Block,
  button,
  facts,
  note,
  type Template,
  type TemplateContext,
  text,
} from "@/lib/email/content";
import { pocketWords, worthOf } from "@/lib/i18n/translate";
import type { MovementType } from "@/lib/ledger/model/movements";
import type { Tender } from "@/lib/ledger/model/tender";
import { type ConfigMail, RULES } from "@/lib/points-config/model";

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
  saleRef: string | null;
  balance: number;
  /** The value of a point in dirhams. */
  rate: number;
  /** The value of a point of the balance in dirhams. */
  balanceRate: number;
  branch: string | null;
  at: Date;
  /** The number of the receipt. */
  reference: string;
  /** The link to freeze the card. */
  notMeUrl: string;
  /** The card's own page; a mail that waited since the version before has none. */
  cardUrl?: string;
};

/** The e-mail of a posting to the customer. */
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

/** The fields of a change: the rate in dirhams per point, amounts in points, the undo window in minutes. */
const FIELDS = [...RULES, "unprovedWorkerDaily", "redeemAllowance", "redeemAllowanceCeiling"] as const;
type Field = (typeof FIELDS)[number];
type Changed = Partial<Record<Field, number | null>>;

type ConfigChangeParams = {
  /** Whether it is about the redemptions without confirmation, and not about the points configuration. */
  allowance: boolean;
  name: string;
  merchant: string;
  withdrawal: boolean;
  needsApproval: boolean;
  effectiveAt: Date;
  before: Changed;
  after: Changed;
  url: string;
};

function valueText({ t, locale }: TemplateContext, field: Field, value: number | null): string {
  if (value === null) return t("config.noCap");
  if (field === "dirhamsPerPoint")
    return t("config.rateIs", { value: formatQar(cashValue(1, value), locale) });
  if (field === "undoMinutes") return t("config.minutes", { count: value });
  return formatPoints(value, locale);
}

const configChange =
  (event: ConfigMail): Template<ConfigChangeParams> =>
  (context, params) => {
    const { t, locale } = context;
    const { name, merchant, before, after, effectiveAt } = params;
    const what = params.allowance ? "allowance" : "points";
    const rows = FIELDS.flatMap((field) => {
      const [from, to] = [before[field], after[field]];
      if (from === undefined || to === undefined) return [];
      const values = { before: valueText(context, field, from), after: valueText(context, field, to) };
      return [{ label: t(`config.fields.${field}`), value: t("email.config_change.fromTo", values) }];
    });
    const when = { label: t("email.config_change.effectiveAt"), value: formatDateTime(effectiveAt, locale) };
    return {
      subject: t(`email.config_change.${event}.subject.${what}`, { merchant }),
      sender: t("email.common.product"),
      heading: t(`email.config_change.${event}.heading`),
      blocks: [
        text(t("email.common.greeting", { name })),
        text(t(`email.config_change.${event}.body.${what}`, { merchant })),
        ...(params.withdrawal ? [text(t("email.config_change.withdrawal"))] : []),
        { kind: "facts", rows: event === "asked" ? [...rows, when] : rows },
        ...(event === "asked" && params.needsApproval ? [text(t("email.config_change.approval"))] : []),
        button(t(`email.config_change.action.${what}`), params.url),
        ...(event === "asked" ? [note(t("email.config_change.note"))] : []),
      ],
    };
  };

export const CONFIG_TEMPLATES = {
  config_asked: configChange("asked"),
  config_cancelled: configChange("cancelled"),
  config_applied: configChange("applied"),
};
