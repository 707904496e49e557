import { MapPinIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { type Column, DataTable } from "@/components/data/data-table";
import { EmptyState } from "@/components/ui/empty";
import { cashValue, formatAmount, formatQar } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import type { HomeBranch, PeriodSpan } from "@/lib/reports/model/owner-home";
import { Change } from "./change";
import { Sparkline } from "./sparkline";

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
  const locale = useLocale() as Locale;
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
      cell: ({ branch }) => <bdi>{branch?.name ?? t("noBranch")}</bdi>,
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
