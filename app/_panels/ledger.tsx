import { FingerprintIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { type Column, DataTable } from "@/components/data/data-table";
import { FilterBar } from "@/components/data/filter-bar";
import { FilterSelect } from "@/components/data/filter-fields";
import { ListFrame, ListPart } from "@/components/data/list-frame";
import { CheckPanel } from "@/components/ledger/check-panel";
import { EmptyState } from "@/components/ui/empty";
import { pageContext, pageQuery, pageTitle, readOr404, type SearchParams } from "@/lib/api/page";
import { formatCount } from "@/lib/domain/money";
import { PANELS } from "@/lib/domain/panels";
import { dayStart, formatDate } from "@/lib/domain/time";
import { hexGroups, type LedgerDay, ledgerCheckSchema } from "@/lib/ledger/model/ledger-check";
import { ledgerDays } from "@/lib/ledger/read-movements";
import { lastCheck } from "@/lib/ledger/run-check";
import { merchantOptions } from "@/lib/merchants/read-merchants";

function DaysTable({ days }: { days: readonly LedgerDay[] }) {
  const t = useTranslations("ledger");
  const locale = useLocale();
  const columns: Column<LedgerDay>[] = [
    {
      header: t("dayColumn"),
      primary: true,
      cell: ({ day }) => formatDate(dayStart(day), locale),
    },
    {
      header: t("total"),
      align: "end",
      phone: "aside",
      cell: ({ total }) => formatCount(total),
    },
    {
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
      rows={days.map((day) => ({ ...day, id: day.day }))}
      empty={<EmptyState icon={FingerprintIcon} title={t("daysNone")} description={t("daysNoneText")} />}
    />
  );
}

export const generateMetadata = pageTitle("panels.titles.ledger");

/** "Check the Ledger" for an owner's merchant, or for the merchant that a super_admin selects. */
export async function LedgerPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(ledgerDays);
  const seesAllMerchants = ctx.actor.role === "super_admin";
  const query = seesAllMerchants ? await pageQuery(ledgerCheckSchema, searchParams) : {};
  const chosen = !seesAllMerchants || query.merchantId !== undefined;
  const [check, days, merchants, t] = await Promise.all([
    chosen ? readOr404(lastCheck, ctx, query) : null,
    chosen ? readOr404(ledgerDays, ctx, query) : [],
    seesAllMerchants ? merchantOptions(ctx, query) : [],
    getTranslations("ledger"),
  ]);
  return (
    <ListFrame>
      {seesAllMerchants && (
        <FilterBar>
          <FilterSelect name="merchantId" label={t("choose")} without={t("chooseOne")} options={merchants} />
        </FilterBar>
      )}
      <ListPart>
        {!chosen && <p className="text-muted-foreground text-sm">{t("chooseText")}</p>}
        {chosen && (
          <div className="flex flex-col gap-6">
            <CheckPanel
              key={query.merchantId ?? "own"}
              check={check}
              base={`/${PANELS[ctx.actor.role].segment}`}
              merchantId={query.merchantId}
            />
            <section aria-labelledby="days">
              <h2 id="days" className="font-semibold">
                {t("days")}
              </h2>
              <p className="mb-3 text-muted-foreground text-sm">{t("daysText")}</p>
              <DaysTable days={days} />
            </section>
          </div>
        )}
      </ListPart>
    </ListFrame>
  );
}
