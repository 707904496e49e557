import { FingerprintIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { type Column, DataTable } from "@/components/data/data-table";
import { EmptyState } from "@/components/ui/empty";
import { formatCount } from "@/lib/domain/money";
import { dayStart, formatDate } from "@/lib/domain/time";
import { hexGroups, type LedgerDay } from "@/lib/ledger/model/ledger-check";

/** The fingerprints of the last days, as the owner's e-mails have them. */
export function DaysTable({ days }: { days: readonly LedgerDay[] }) {
  const t = useTranslations("ledger");
  const locale = useLocale();
  const columns: Column<LedgerDay>[] = [
    {
      key: "day",
      header: t("dayColumn"),
      primary: true,
      cell: ({ day }) => formatDate(dayStart(day), locale),
    },
    {
      key: "total",
      header: t("total"),
      align: "end",
      phone: "aside",
      cell: ({ total }) => formatCount(total),
    },
    {
      key: "head",
      header: t("head"),
      phone: "below",
      cell: ({ head }) => (
        <code dir="ltr" className="font-mono text-xs tabular-nums">
          {hexGroups(head)}
        </code>
      ),
    },
  ];
  return (
    <DataTable
      caption={t("days")}
      columns={columns}
      rows={days}
      rowKey={({ day }) => day}
      empty={<EmptyState icon={FingerprintIcon} title={t("daysNone")} description={t("daysNoneText")} />}
    />
  );
}
