import { ArrowDownRightIcon, ArrowRightIcon, ArrowUpRightIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/utils";
import { percentChange, signedPercent } from "@/lib/domain/money";

/** Above it, a percentage says less than the earlier amount. */
const MOST_PERCENT = 300;

type ChangeProps = {
  now: number;
  before: number;
  /** A decrease is not shown as bad. */
  plain?: boolean;
  /** The earlier amount, written out. */
  was: string;
  /** Where there is room: the earlier amount beside the percentage, or that there was none. */
  words?: boolean;
};

/**
 * The difference to the period before in percent, or the earlier amount where a percentage would say nothing; a dash where
 * nothing was there to compare with.
 */
export function Change({ now, before, plain, was, words }: ChangeProps) {
  const t = useTranslations("home");
  if (before === 0 && words) return <span className="text-muted-foreground">{t("noneBefore")}</span>;
  if (before === 0) {
    return (
      <span className="text-muted-foreground">
        <span aria-hidden>–</span>
        <span className="sr-only">{t("noneBefore")}</span>
      </span>
    );
  }
  // Of an amount below zero, as a net may be, a percentage reads the wrong way round.
  const tells = before > 0 && now >= 0 && Math.abs(percentChange(now, before)) <= MOST_PERCENT;
  const Arrow = now > before ? ArrowUpRightIcon : now < before ? ArrowDownRightIcon : ArrowRightIcon;
  const good = now > before ? "text-success-strong" : now < before ? "text-destructive-strong" : "";
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 tabular-nums">
      <span
        className={cn(
          "inline-flex items-center gap-0.5 whitespace-nowrap font-medium",
          plain ? "text-muted-foreground" : good,
        )}
      >
        <Arrow className="size-3.5 shrink-0 rtl:-scale-x-100" aria-hidden />
        {tells && <bdi>{t("change", { percent: signedPercent(now, before) })}</bdi>}
        {!tells && !words && <Was amount={was} />}
      </span>
      {words && (
        <span className="text-muted-foreground">
          <Was amount={was} />
        </span>
      )}
    </span>
  );
}

function Was({ amount }: { amount: string }) {
  const t = useTranslations("home");
  return <span className="whitespace-nowrap">{t.rich("was", { amount: () => <bdi>{amount}</bdi> })}</span>;
}
