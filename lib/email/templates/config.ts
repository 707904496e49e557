import { cashValue, formatPoints, formatQar } from "@/lib/domain/money";
import { formatDateTime } from "@/lib/domain/time";
import { button, note, type Template, type TemplateContext, text } from "@/lib/email/content";
import { type ConfigMail, RULES } from "@/lib/points-config/model";

/**
 * The fields that a change may set: the rate in dirhams per point, the amounts in points, the undo window in
 * minutes.
 */
const FIELDS = [...RULES, "unprovedWorkerDaily", "redeemAllowance", "redeemAllowanceCeiling"] as const;
type Field = (typeof FIELDS)[number];
type Values = Partial<Record<Field, number | null>>;

type ConfigChangeParams = {
  /** Whether it is about the redemptions without confirmation, and not about the points configuration. */
  allowance: boolean;
  name: string;
  merchant: string;
  /** Whether the merchant returns to the platform's rules. */
  withdrawal: boolean;
  needsApproval: boolean;
  effectiveAt: Date;
  before: Values;
  after: Values;
  url: string;
};

function valueText({ t, locale }: TemplateContext, field: Field, value: number | null): string {
  if (value === null) return t("config.noCap");
  if (field === "dirhamsPerPoint")
    return t("config.rateIs", { value: formatQar(cashValue(1, value), locale) });
  if (field === "undoMinutes") return t("config.minutes", { count: value });
  return formatPoints(value, locale);
}

/** The e-mail to an owner about one event of a change that waits. */
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
