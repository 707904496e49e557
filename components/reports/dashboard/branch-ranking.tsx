import { useLocale, useTranslations } from "next-intl";
import { MerchantName } from "@/components/data/merchant-name";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { cashValue, formatQar } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import type { BranchTotals } from "@/lib/reports/model/totals";

/** The branches that took the most money, each with a bar relative to the first. */
export function BranchRanking({
  branches,
  withMerchant,
}: {
  branches: readonly BranchTotals[];
  withMerchant: boolean;
}) {
  const t = useTranslations("dashboard");
  const locale = useLocale() as Locale;
  const most = branches[0]?.money.taken ?? 1;
  const qar = (dirhams: number) => formatQar(cashValue(dirhams, 1), locale);
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("topBranches")}</CardTitle>
        <CardDescription>{t("topBranchesText")}</CardDescription>
      </CardHeader>
      <CardContent>
        {branches.length === 0 && <p className="text-muted-foreground text-sm">{t("noBranches")}</p>}
        <ol className="flex flex-col gap-4">
          {branches.map(({ branch, merchant, money: { taken, redeemed } }) => (
            <li key={branch.id} className="flex flex-col gap-1.5">
              <div className="flex items-baseline justify-between gap-3 text-sm">
                <span className="min-w-0 truncate font-medium">
                  <bdi>{branch.name}</bdi>
                  {withMerchant && (
                    <span className="font-normal text-muted-foreground">
                      {" · "}
                      <MerchantName of={merchant} />
                    </span>
                  )}
                </span>
                <bdi className="shrink-0 font-medium tabular-nums">{qar(taken)}</bdi>
              </div>
              <div className="h-2 overflow-hidden rounded-full bg-muted" aria-hidden>
                <div
                  className="h-full rounded-full bg-chart-1"
                  style={{ inlineSize: `${Math.max(2, (taken / most) * 100)}%` }}
                />
              </div>
              <p className="text-muted-foreground text-xs tabular-nums">
                {t("redeemedPart", { amount: qar(redeemed) })}
              </p>
            </li>
          ))}
        </ol>
      </CardContent>
    </Card>
  );
}
