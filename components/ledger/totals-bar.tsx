import { useLocale, useTranslations } from "next-intl";
import { Skeleton } from "@/components/ui/skeleton";
import { formatCount, formatPoints, formatQar, formatSignedPoints } from "@/lib/domain/money";
import type { MovementTotals } from "@/lib/domain/movements";
import type { Locale } from "@/lib/domain/roles";

/** The totals of the filtered movements, in QAR and points; null shows that there are too many to add up. */
export function TotalsBar({ totals }: { totals: MovementTotals | null }) {
  const t = useTranslations("transactions");
  const locale = useLocale() as Locale;
  if (totals === null) {
    return (
      <p className="mb-4 rounded-xl border bg-card px-4 py-3 text-muted-foreground text-sm shadow-card">
        {t("totalsTooMany")}
      </p>
    );
  }
  const items = [
    { key: "count", value: formatCount(totals.count), points: null },
    {
      key: "toppedUp",
      value: formatQar(totals.value.toppedUp, locale),
      points: formatPoints(totals.toppedUp, locale),
    },
    {
      key: "redeemed",
      value: formatQar(totals.value.redeemed, locale),
      points: formatPoints(totals.redeemed, locale),
    },
    {
      key: "net",
      value: formatQar(totals.value.net, locale, true),
      points: formatSignedPoints(totals.net, locale),
    },
  ] as const;
  return (
    <dl
      aria-label={t("totals")}
      className="mb-4 grid grid-cols-2 overflow-hidden rounded-xl border bg-card shadow-card lg:grid-cols-4"
    >
      {items.map(({ key, value, points }) => (
        <div key={key} className="flex flex-col gap-0.5 px-4 py-3">
          <dt className="text-muted-foreground text-xs">{t(key)}</dt>
          <dd className="wrap-anywhere font-semibold text-lg tabular-nums">
            <bdi>{value}</bdi>
          </dd>
          {points !== null && (
            <dd className="text-muted-foreground text-xs tabular-nums">
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
    <div className="mb-4 grid grid-cols-2 overflow-hidden rounded-xl border bg-card shadow-card lg:grid-cols-4">
      {["count", "toppedUp", "redeemed", "net"].map((key) => (
        <div key={key} className="flex flex-col gap-0.5 px-4 py-3">
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
