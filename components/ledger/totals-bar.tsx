import { useLocale, useTranslations } from "next-intl";
import { Skeleton } from "@/components/ui/skeleton";
import { formatCount, formatQar } from "@/lib/domain/money";
import type { MovementTotals } from "@/lib/domain/movements";
import type { Locale } from "@/lib/domain/roles";

/** The totals of the filtered movements in one strip; null shows that there are too many to add up. Nothing for none. */
export function TotalsBar({ totals }: { totals: MovementTotals | null }) {
  const t = useTranslations("transactions");
  const locale = useLocale() as Locale;
  if (totals === null) {
    return <p className="totals px-4 text-muted-foreground text-sm">{t("totalsTooMany")}</p>;
  }
  if (totals.count === 0 && totals.net === 0) return null;
  const items = [
    { key: "count", value: formatCount(totals.count) },
    { key: "toppedUp", value: formatQar(totals.value.toppedUp, locale) },
    { key: "redeemed", value: formatQar(totals.value.redeemed, locale) },
    { key: "net", value: formatQar(totals.value.net, locale, true) },
  ] as const;
  return (
    <dl aria-label={t("totals")} className="totals">
      {items.map(({ key, value }) => (
        <div key={key}>
          <dt>{t(key)}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
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
          <Skeleton className="h-4 w-28" />
        </div>
      ))}
    </div>
  );
}
