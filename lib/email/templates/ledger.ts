import { formatCount } from "@/lib/domain/money";
import { formatDate, formatDateTime } from "@/lib/domain/time";
import { button, note, type Template, text } from "@/lib/email/content";

/** `at` is a time on the reported day. `sealed` and `total` are numbers of transactions. `head` is in groups of digits. */
type LedgerDayParams = {
  name: string;
  merchant: string;
  at: Date;
  sealed: number;
  total: number;
  head: string;
  url: string;
};

const ledgerDay: Template<LedgerDayParams> = (
  { t, locale },
  { name, merchant, at, sealed, total, head, url },
) => ({
  subject: t("email.ledger_day.subject", { merchant, day: formatDate(at, locale) }),
  sender: t("email.common.product"),
  heading: t("email.ledger_day.heading"),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.ledger_day.body", { merchant })),
    {
      kind: "facts",
      rows: [
        { label: t("email.ledger_day.day"), value: formatDate(at, locale) },
        { label: t("email.ledger_day.sealed"), value: formatCount(sealed) },
        { label: t("email.ledger_day.total"), value: formatCount(total) },
        { label: t("email.ledger_day.head"), value: head },
      ],
    },
    button(t("email.ledger_day.action"), url),
    note(t("email.ledger_day.note")),
  ],
});

type ManyOpeningsParams = {
  name: string;
  merchant: string;
  person: string;
  openings: number;
  at: Date;
  url: string;
};

const manyOpenings: Template<ManyOpeningsParams> = (
  { t, locale },
  { name, merchant, person, openings, at, url },
) => ({
  subject: t("email.many_openings.subject", { person }),
  sender: t("email.common.product"),
  heading: t("email.many_openings.heading"),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(
      t("email.many_openings.body", { person, merchant, count: openings, time: formatDateTime(at, locale) }),
    ),
    button(t("email.many_openings.action"), url),
    note(t("email.many_openings.note")),
  ],
});

export const LEDGER_TEMPLATES = { ledger_day: ledgerDay, many_openings: manyOpenings };
