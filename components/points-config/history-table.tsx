import { HistoryIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { CursorPager } from "@/components/data/cursor-pager";
import { type Column, DataTable } from "@/components/data/data-table";
import { MerchantName } from "@/components/data/names";
import { EmptyState } from "@/components/ui/empty";
import { formatDateTime } from "@/lib/domain/time";
import type { PointsRules } from "@/lib/points-config/model";
import type { ConfigChange } from "@/lib/points-config/names";
import { RULE_FIELDS, useRuleText } from "./rules-view";

/** A page of all changes: time, merchant, old and new values, and author. */
export function History({
  page: { results, nextCursor },
  withAuthor = false,
}: {
  page: { results: readonly ConfigChange[]; nextCursor: string | null };
  withAuthor?: boolean;
}) {
  const t = useTranslations("config");
  const locale = useLocale();
  const columns: (Column<ConfigChange> | false)[] = [
    {
      header: t("when"),
      primary: true,
      className: "whitespace-nowrap align-top tabular-nums",
      cell: (change) => formatDateTime(change.createdAt, locale),
    },
    {
      header: t("where"),
      className: "align-top",
      cell: (change) => (change.merchant ? <MerchantName of={change.merchant} /> : t("platform")),
    },
    {
      header: t("what"),
      phone: "below",
      cell: (change) => <Changes change={change} />,
    },
    withAuthor && {
      header: t("who"),
      className: "align-top",
      cell: (change) => <bdi>{change.changedBy ?? t("system")}</bdi>,
    },
  ];
  return (
    <section aria-labelledby="history">
      <h2 id="history" className="mb-3 font-semibold">
        {t("history")}
      </h2>
      <DataTable
        caption={t("history")}
        columns={columns}
        rows={results}
        empty={<EmptyState icon={HistoryIcon} title={t("historyNone")} />}
      />
      <CursorPager nextCursor={nextCursor} />
    </section>
  );
}

function Changes({ change: { before, after } }: { change: ConfigChange }) {
  const t = useTranslations("config");
  const text = useRuleText();
  if (!after) return t("changeWithdrawn");
  const line = (field: keyof PointsRules) =>
    before
      ? t("changeFrom", {
          field: t(`fields.${field}`),
          before: text(field, before),
          after: text(field, after),
        })
      : t("changeTo", { field: t(`fields.${field}`), after: text(field, after) });
  const fields = before ? RULE_FIELDS.filter((field) => before[field] !== after[field]) : RULE_FIELDS;
  return (
    <ul className="flex flex-col gap-0.5 tabular-nums">
      {!before && <li className="text-muted-foreground">{t("initial")}</li>}
      {fields.map((field) => (
        <li key={field}>{line(field)}</li>
      ))}
    </ul>
  );
}
