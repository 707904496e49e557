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
  /** "stack" shows the QAR value below the points. */
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
  return (
    <span
      className={cn(
        "inline-flex tabular-nums",
        layout === "stack" ? "flex-col" : "flex-wrap items-baseline gap-x-2",
        className,
      )}
    >
      <bdi
        className={cn(
          "whitespace-nowrap font-medium",
          signed && points > 0 && "text-success-strong",
          pointsClassName,
        )}
      >
        {signed ? formatSignedPoints(points, locale) : formatPoints(points, locale)}
      </bdi>
      {worth !== undefined && (
        <bdi className="whitespace-nowrap text-[0.875em] text-muted-foreground">
          {formatQar(worth, locale, signed)}
        </bdi>
      )}
    </span>
  );
}
