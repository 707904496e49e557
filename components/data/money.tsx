import { useLocale } from "next-intl";
import { cn } from "@/components/ui/utils";
import { cashValue, formatPoints, formatQar, formatSignedPoints } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";

type MoneyProps = {
  points: number;
  /** The value of the points in QAR, as `cashValue` answers it ("350.00"). Alternative: `rate`. */
  value?: string;
  /** Dirhams per point. */
  rate?: number;
  /** Shows the sign, and additions in green: for movements. */
  signed?: boolean;
  /** "stack" shows the QAR value first and the points below it. */
  layout?: "inline" | "stack";
  className?: string;
  pointsClassName?: string;
};

/** Points and their QAR value side by side: "350 pts · QAR 350.00". */
export function Money({
  points,
  value,
  rate,
  signed,
  layout = "inline",
  className,
  pointsClassName,
}: MoneyProps) {
  const locale = useLocale() as Locale;
  const worth = value ?? (rate === undefined ? undefined : cashValue(points, rate));
  const amount = signed ? formatSignedPoints(points, locale) : formatPoints(points, locale);
  const gained = signed && points > 0 && "text-success-strong";
  const cash = worth === undefined ? null : formatQar(worth, locale, signed);
  if (layout === "stack") {
    return (
      <span className={className ? cn("money", className) : "money"}>
        {cash && <bdi className={gained || undefined}>{cash}</bdi>}
        <bdi className={pointsClassName}>{amount}</bdi>
      </span>
    );
  }
  return (
    <span className={cn("inline-flex flex-wrap items-baseline gap-x-2 tabular-nums", className)}>
      <bdi className={cn("whitespace-nowrap font-medium", gained, pointsClassName)}>{amount}</bdi>
      {cash && <bdi className="whitespace-nowrap text-[0.875em] text-muted-foreground">{cash}</bdi>}
    </span>
  );
}
