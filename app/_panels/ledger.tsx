import { getTranslations } from "next-intl/server";
import { FilterBar } from "@/components/data/filter-bar";
import { FilterSelect } from "@/components/data/filter-fields";
import { CheckPanel, Fingerprint } from "@/components/ledger/check-panel";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { ledgerCheckSchema } from "@/lib/domain/ledger-check";
import { PANELS } from "@/lib/domain/panels";
import { pageContext, pageQuery, readOr404, type SearchParams } from "@/lib/http/page";
import { ledgerDays } from "@/lib/ledger/list-seals";
import { lastCheck } from "@/lib/ledger/run-check";
import { merchantOptions } from "@/lib/merchants/read-merchants";
import { startCheckAction } from "./actions";

export async function ledgerMetadata() {
  return { title: (await getTranslations("panels.titles"))("ledger") };
}

/** "Check the Ledger" for an owner's merchant, or for the merchant that a super_admin selects. */
export async function LedgerPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext("ledger.verify");
  const seesAllMerchants = ctx.actor.role === "super_admin";
  const query = seesAllMerchants ? await pageQuery(ledgerCheckSchema, searchParams) : {};
  const chosen = !seesAllMerchants || query.merchantId !== undefined;
  const [check, days, merchants, t] = await Promise.all([
    chosen ? readOr404(lastCheck, ctx, query) : null,
    chosen ? readOr404(ledgerDays, ctx, query) : [],
    seesAllMerchants ? merchantOptions(ctx, {}) : [],
    getTranslations("ledger"),
  ]);
  return (
    <div className="flex flex-col gap-5">
      {seesAllMerchants && (
        <FilterBar names={[]} className="mb-0">
          <FilterSelect name="merchantId" label={t("choose")} options={merchants} />
        </FilterBar>
      )}
      {!chosen && <p className="text-muted-foreground text-sm">{t("chooseText")}</p>}
      {chosen && (
        <>
          <CheckPanel
            key={query.merchantId ?? "own"}
            check={check}
            base={`/${PANELS[ctx.actor.role].segment}`}
            merchantId={query.merchantId}
            start={startCheckAction}
          />
          <Card>
            <CardHeader>
              <CardTitle>{t("days")}</CardTitle>
              <CardDescription>{t("daysText")}</CardDescription>
            </CardHeader>
            <CardContent>
              {days.length === 0 && <p className="text-muted-foreground text-sm">{t("daysNone")}</p>}
              <ol className="flex flex-col divide-y">
                {days.map(({ day, head }) => (
                  <li key={day} className="py-2.5 first:pt-0">
                    <p className="text-muted-foreground text-sm tabular-nums">{day}</p>
                    <Fingerprint head={head} />
                  </li>
                ))}
              </ol>
            </CardContent>
          </Card>
        </>
      )}
    </div>
  );
}
