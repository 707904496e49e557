import { useLocale, useTranslations } from "next-intl";
import type { CSSProperties } from "react";
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
      <p className="mb-4 rounded-xl border bg-card px-4 py-3 text-muted-foreground text-sm shadow-card">
        {t("totalsTooMany")}
      </p>
    );
  }
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
  const longest = Math.max(...items.map(({ value }) => value.length));
  return (
    <dl aria-label={t("totals")} className="totals" style={{ "--chars": longest } as CSSProperties}>
      {items.map(({ key, value, points, ...more }) => (
        <div key={key} className="@container">
          <dt className="text-muted-foreground text-xs">{t(key)}</dt>
          <dd className="whitespace-nowrap font-semibold text-[clamp(0.8125rem,calc(100cqi/var(--chars)/0.58),1.125rem)] tabular-nums leading-7">
            <bdi>{value}</bdi>
          </dd>
          {points !== null && (
            <dd className="text-muted-foreground text-xs tabular-nums">
              <bdi>{points}</bdi>
            </dd>
          )}
          {"before" in more && more.before && (
            <dd className="text-muted-foreground text-xs tabular-nums">
              {stats("gross", { amount: isolated(more.before) })}
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
        <div key={key}>
          <div className="flex h-4 items-center">
            <Skeleton className="h-3 w-16" />
          </div>
          <div className="flex h-7 items-center">
            <Skeleton className="h-5 w-24" />
          </div>
          <div className="h-4" />
        </div>
      ))}
    </div>
  );
}
