import { ArrowDownRightIcon, ArrowRightIcon, ArrowUpRightIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/utils";

/** The difference to the period before in percent; a dash where nothing was there to compare with. */
export function Change({ now, before, plain }: { now: number; before: number; plain?: boolean }) {
  const t = useTranslations("home");
  if (before === 0) {
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
      <bdi>{t("change", { percent: Math.round(((now - before) / Math.abs(before)) * 100) })}</bdi>
    </span>
  );
}
