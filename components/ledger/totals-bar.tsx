import { useLocale, useTranslations } from "next-intl";
import { Skeleton } from "@/components/ui/skeleton";
import { formatCount, formatPoints, formatQar, formatSignedPoints } from "@/lib/domain/money";
import type { MovementTotals } from "@/lib/ledger/model/movements";

// Keeps an amount in one piece within a sentence of the other direction.
const isolated = (text: string) => `\u2068${text}\u2069`;

/** The totals of the filtered movements, in QAR and points; null shows that there are too many to add up. */
export function TotalsBar({ totals }: { totals: MovementTotals | null }) {
  const t = useTranslations("transactions");
  const stats = useTranslations("stats");
  const locale = useLocale();
  if (totals === null) {
    return (
      <p className="mb-3 rounded-xl border bg-card px-4 py-2 text-muted-foreground text-sm shadow-card">
        {t("totalsTooMany")}
      </p>
    );
  }
  // The list says that nothing matches.
  if (totals.count === 0 && totals.net === 0) return null;
  const { gross, value } = totals;
  const beforeReversals = (key: "toppedUp" | "redeemed") =>
    gross && gross[key] !== totals[key]
      ? stats("gross", { amount: isolated(formatQar(gross.value[key], locale)) })
      : undefined;
  const moved = (key: "toppedUp" | "redeemed") => ({
    key,
    value: formatQar(value[key], locale),
    points: formatPoints(totals[key], locale),
    title: beforeReversals(key),
  });
  const net = formatQar(value.net, locale, true);
  const items = [
    { key: "count" as const, value: formatCount(totals.count), points: null, title: undefined },
    moved("toppedUp"),
    moved("redeemed"),
    { key: "net" as const, value: net, points: formatSignedPoints(totals.net, locale), title: undefined },
  ];
  return (
    <dl aria-label={t("totals")} className="totals">
      {items.map(({ key, value, points, title }) => (
        <div key={key} title={title}>
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
