import { useLocale, useTranslations } from "next-intl";
import { Skeleton } from "@/components/ui/skeleton";
import { formatCount, formatPoints, formatQar, formatSignedPoints } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import type { MovementTotals } from "@/lib/ledger/model/movements";

// Keeps an amount in one piece within a sentence of the other direction.
const isolated = (text: string) => `\u2068${text}\u2069`;

/** The totals of the filtered movements, in QAR and points; null shows that there are too many to add up. */
export function TotalsBar({ totals }: { totals: MovementTotals | null }) {
  const t = useTranslations("transactions");
  const stats = useTranslations("stats");
  const locale = useLocale() as Locale;
  if (totals === null) {
    return (
      <p className="mb-3 rounded-xl border bg-card px-4 py-2 text-muted-foreground text-sm shadow-card">
        {t("totalsTooMany")}
      </p>
    );
  }
  // The list says that nothing matches.
  if (totals.count === 0 && totals.net === 0) return null;
  const { gross } = totals;
  const grossOf = (key: "toppedUp" | "redeemed") =>
    gross && gross[key] !== totals[key] ? formatQar(gross.value[key], locale) : null;
  const items = [
    { key: "count", value: formatCount(totals.count), points: null },
    {
      key: "toppedUp",
      value: formatQar(totals.value.toppedUp, locale),
      points: formatPoints(totals.toppedUp, locale),
      before: grossOf("toppedUp"),
    },
    {
      key: "redeemed",
      value: formatQar(totals.value.redeemed, locale),
      points: formatPoints(totals.redeemed, locale),
      before: grossOf("redeemed"),
    },
    {
      key: "net",
      value: formatQar(totals.value.net, locale, true),
      points: formatSignedPoints(totals.net, locale),
    },
  ] as const;
  return (
    <dl aria-label={t("totals")} className="totals">
      {items.map(({ key, value, points, ...more }) => (
        <div
          key={key}
          title={
            "before" in more && more.before ? stats("gross", { amount: isolated(more.before) }) : undefined
          }
        >
          <dt>{t(key)}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
          {points !== null && (
            <dd>
              <bdi>{points}</bdi>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

/** The placeholder of TotalsBar. */
export function TotalsSkeleton() {
  return (
    <div className="totals">
      {["count", "toppedUp", "redeemed", "net"].map((key) => (
        <Skeleton key={key} className="h-5 w-40 max-sm:w-full" />
      ))}
    </div>
  );
}
