"use client";

import { InboxIcon, PlusIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type Column, DataTable } from "@/components/data/data-table";
import { FilterBar } from "@/components/data/filter-bar";
import { ListCount, ListFrame } from "@/components/data/list-frame";
import { ListSkeleton } from "@/components/data/list-skeleton";
import { Money } from "@/components/data/money";
import { NoneFound } from "@/components/data/none-found";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty";
import { dayStart, formatDate, formatDateTime } from "@/lib/domain/time";
import { Section } from "./section";
import { useReader } from "./use-reader";

type Line = { id: string; points: number; at: string; reversed: boolean };
const LINES: Line[] = [
  { id: "3", points: 350, at: "2026-11-21T09:05:00Z", reversed: false },
  { id: "2", points: -40, at: "2026-11-21T08:10:00Z", reversed: true },
  { id: "1", points: 1250, at: "2026-11-20T16:45:00Z", reversed: false },
];

/** A list with filters, with rows grouped by day on a phone, and the placeholders that replace a list. */
export function Lists() {
  const t = useTranslations("showcase");
  const locale = useReader();
  const columns: Column<Line>[] = [
    { key: "who", header: t("name"), primary: true, cell: () => <bdi>{t("person")}</bdi> },
    {
      key: "state",
      header: t("state"),
      phone: "line",
      cell: ({ reversed }) => (
        <Badge variant={reversed ? "warning" : "success"}>{t(stateOf(reversed))}</Badge>
      ),
    },
    { key: "at", header: t("time"), phone: "line", cell: ({ at }) => formatDateTime(new Date(at), locale) },
    {
      key: "amount",
      header: t("points"),
      align: "end",
      phone: "aside",
      cell: ({ points }) => <Money points={points} rate={125} signed layout="stack" />,
    },
  ];
  return (
    <Section id="lists" title={t("lists")}>
      <ListFrame>
        <ListCount count={LINES.length} />
        <FilterBar
          search={t("search")}
          range={t("days")}
          fields={[
            {
              name: "state",
              label: t("state"),
              options: [
                { value: "done", label: t("done") },
                { value: "undone", label: t("undone") },
              ],
            },
          ]}
          actions={
            <Button>
              <PlusIcon aria-hidden /> {t("add")}
            </Button>
          }
        />
        <DataTable
          caption={t("lists")}
          columns={columns}
          rows={LINES}
          rowKey={({ id }) => id}
          groups={{
            of: ({ at }) => at.slice(0, 10),
            head: (day) => <span>{formatDate(dayStart(day), locale)}</span>,
          }}
          empty={null}
        />
      </ListFrame>
      <div className="grid gap-4 md:grid-cols-3">
        <div className="surface">
          <EmptyState icon={InboxIcon} title={t("empty")} description={t("emptyText")} />
        </div>
        <div className="surface">
          <NoneFound icon={InboxIcon} />
        </div>
        <ListSkeleton rows={4} />
      </div>
    </Section>
  );
}

const stateOf = (reversed: boolean) => (reversed ? "undone" : "done");
