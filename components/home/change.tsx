import { ArrowDownRightIcon, ArrowRightIcon, ArrowUpRightIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/utils";
import { signedPercent } from "@/lib/domain/money";

type ChangeProps = {
  now: number;
  before: number;
  /** A decrease is not shown as bad. */
  plain?: boolean;
  /** The difference as an amount, instead of percent. */
  amount?: string | undefined;
  /** Says in words that there is nothing to compare with, where there is room for them. */
  words?: boolean;
};

/** The difference to the period before in percent; a dash where nothing was there to compare with. */
export function Change({ now, before, plain, amount, words }: ChangeProps) {
  const t = useTranslations("home");
  const none = before === 0 && amount === undefined;
  if (none && words) return <span className="text-muted-foreground">{t("noneBefore")}</span>;
  if (none) {
    return (
      <span className="text-muted-foreground">
        <span aria-hidden>–</span>
        <span className="sr-only">{t("noneBefore")}</span>
      </span>
    );
  }
  const Arrow = now > before ? ArrowUpRightIcon : now < before ? ArrowDownRightIcon : ArrowRightIcon;
  const good = now > before ? "text-success-strong" : now < before ? "text-destructive-strong" : "";
  return (
    <span
      className={cn(
        "inline-flex items-center gap-0.5 whitespace-nowrap font-medium tabular-nums",
        plain ? "text-muted-foreground" : good,
      )}
    >
      <Arrow className="size-3.5 shrink-0 rtl:-scale-x-100" aria-hidden />
      <bdi>{amount ?? t("change", { percent: signedPercent(now, before) })}</bdi>
    </span>
  );
}
