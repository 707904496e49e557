import { MapPinIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { BranchName } from "@/components/data/branch-name";
import { type Column, DataTable } from "@/components/data/data-table";
import { EmptyState } from "@/components/ui/empty";
import { cashValue, formatAmount, formatQar } from "@/lib/domain/money";
import type { HomeBranch, PeriodSpan } from "@/lib/reports/model/owner-home";
import { Change } from "./change";

const WIDTH = 96;
const HEIGHT = 24;

/** A small line of values, oldest first, for a cell of a table; it is drawn on the server. In Arabic time runs leftwards. */
function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const highest = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const y = (value: number) => HEIGHT - 2 - (Math.max(0, value) / highest) * (HEIGHT - 4);
  const points = values
    .map((value, index) => `${Math.round(index * step)},${Math.round(y(value))}`)
    .join(" ");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="inline-block h-6 w-24 stroke-chart-1 rtl:-scale-x-100"
      fill="none"
      strokeWidth="1.5"
      strokeLinejoin="round"
    >
      <polyline points={points} />
    </svg>
  );
}

/** An amount of dirhams without its unit, as columns and small lines have it. */
function Amount({ dirhams }: { dirhams: number }) {
  return (
    <bdi dir="ltr" className="tabular-nums">
      {formatAmount(cashValue(dirhams, 1))}
    </bdi>
  );
}

/** The amount that a row is about: with its unit on a phone. */
function MainAmount({ dirhams }: { dirhams: number }) {
  const locale = useLocale();
  const amount = cashValue(dirhams, 1);
  return (
    <span className="font-medium tabular-nums">
      <bdi className="md:hidden">{formatQar(amount, locale)}</bdi>
      <bdi dir="ltr" className="max-md:hidden">
        {formatAmount(amount)}
      </bdi>
    </span>
  );
}

/** The branches by the money they took; each opens its transactions of the period. */
export function BranchMoneyList({ branches, span }: { branches: readonly HomeBranch[]; span: PeriodSpan }) {
  const t = useTranslations("home");
  const columns: Column<HomeBranch>[] = [
    {
      key: "branch",
      header: t("branch"),
      primary: true,
      cell: ({ branch }) => (branch ? <BranchName of={branch} /> : t("noBranch")),
    },
    {
      key: "taken",
      header: t("taken"),
      align: "end",
      phone: "aside",
      cell: ({ now }) => <MainAmount dirhams={now.taken} />,
    },
    {
      key: "cash",
      header: t("cashHead"),
      align: "end",
      wide: true,
      cell: ({ now }) => <Amount dirhams={now.cash} />,
    },
    {
      key: "redeemed",
      header: t("redeemed"),
      align: "end",
      wide: true,
      cell: ({ now }) => <Amount dirhams={now.redeemed} />,
    },
    {
      key: "net",
      header: t("net"),
      align: "end",
      wide: true,
      cell: ({ now }) => <Amount dirhams={now.taken - now.redeemed} />,
    },
    {
      key: "change",
      header: t("changeHead"),
      align: "end",
      phone: "below",
      cell: ({ now, before, days }) => (
        <span className="flex flex-wrap items-center justify-end gap-x-3">
          <span className="narrow me-auto text-start">
            {t("cashHead")}: <Amount dirhams={now.cash} /> ·{" "}
            <span className="max-[26rem]:hidden">
              {t("redeemed")}: <Amount dirhams={now.redeemed} /> ·{" "}
            </span>
            {t("net")}: <Amount dirhams={now.taken - now.redeemed} />
          </span>
          <Change now={now.taken} before={before.taken} was={formatAmount(cashValue(before.taken, 1))} />
          <Sparkline values={days} label={t("trendLabel")} />
        </span>
      ),
    },
  ];
  return (
    <section aria-labelledby="home-branches" className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id="home-branches" className="font-semibold">
          {t("branches")}
        </h2>
        <p className="text-muted-foreground text-sm max-md:hidden">{t("inQar")}</p>
      </div>
      <DataTable
        caption={t("branches")}
        columns={columns}
        rows={branches}
        rowKey={({ branch }) => branch?.id ?? "none"}
        rowHref={({ branch }) =>
          `/merchant/transactions?${new URLSearchParams({ ...(branch && { branchId: branch.id }), from: span.from, to: span.to })}`
        }
        empty={<EmptyState icon={MapPinIcon} title={t("noBranches")} />}
      />
    </section>
  );
}
