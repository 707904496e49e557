import { useLocale } from "next-intl";
import { cn } from "@/components/ui/utils";
import { cashValue, formatPoints, formatQar, formatSignedPoints } from "@/lib/domain/money";

type MoneyProps = {
  points: number;
  /** Shows the sign, and additions in green: for movements. */
  signed?: boolean;
  /** "inline" is one line, "stack" has the points below, "hero" is the figure that a page is about. */
  layout?: "inline" | "stack" | "hero";
  className?: string;
  /** The worth in QAR, as `cashValue` answers it ("350.00"), or the dirhams per point. */
} & ({ value: string; rate?: never } | { rate: number; value?: never });

const LAYOUTS = { inline: "money money-inline", stack: "money", hero: "money money-hero" } as const;

/** An amount as a person reads it: the riyals large, the points small ("QAR 350.00 350 pts"). */
export function Money({ points, value, rate, signed, layout = "inline", className }: MoneyProps) {
  const locale = useLocale();
  const worth = value ?? cashValue(points, rate);
  const gained = signed && points > 0;
  return (
    <span className={cn(LAYOUTS[layout], className)}>
      <bdi className={gained ? "text-success-strong" : undefined}>{formatQar(worth, locale, signed)}</bdi>
      <bdi>{signed ? formatSignedPoints(points, locale) : formatPoints(points, locale)}</bdi>
    </span>
  );
}
