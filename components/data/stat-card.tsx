import { ArrowDownRightIcon, ArrowRightIcon, ArrowUpRightIcon, type LucideIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/components/ui/utils";
import { signedPercent } from "@/lib/domain/money";

type StatCardProps = {
  label: ReactNode;
  value: ReactNode;
  /** A line below the value: its worth in QAR, or a count. */
  hint?: ReactNode;
  icon?: LucideIcon;
  /** The values of today and yesterday, in the same unit. */
  trend?: { now: number; before: number };
  className?: string;
};

/** One figure of a dashboard. */
export function StatCard({ label, value, hint, icon: Icon, trend, className }: StatCardProps) {
  return (
    <div
      data-slot="stat"
      className={cn(
        "@container flex flex-col gap-1 rounded-xl border bg-card p-3.5 shadow-card sm:p-4",
        className,
      )}
    >
      <div className="flex items-start justify-between gap-2">
        <p className="font-medium text-muted-foreground text-sm leading-5">{label}</p>
        {Icon && <Icon className="size-4.5 shrink-0 text-muted-foreground" aria-hidden />}
      </div>
      <p className="figure">{value}</p>
      {(trend || hint) && (
        <div className="flex flex-col gap-0.5 pt-0.5 text-muted-foreground text-xs tabular-nums">
          {hint && <p>{hint}</p>}
          {trend && <Trend {...trend} />}
        </div>
      )}
    </div>
  );
}

function Trend({ now, before }: { now: number; before: number }) {
  const t = useTranslations("stats");
  if (before === 0) return <p>{t("yesterdayNone")}</p>;
  const Arrow = now > before ? ArrowUpRightIcon : now < before ? ArrowDownRightIcon : ArrowRightIcon;
  const colour = now > before ? "text-success-strong" : now < before ? "text-destructive-strong" : "";
  return (
    <span className={cn("inline-flex items-start gap-1 font-medium", colour)}>
      <Arrow className="mt-px size-3.5 shrink-0 rtl:-scale-x-100" aria-hidden />
      {t("yesterday", { percent: signedPercent(now, before) })}
    </span>
  );
}

/** Placeholders of four StatCards. `className` sets the grid. */
export function StatSkeletons({ className }: { className: string }) {
  return (
    <div className={className}>
      {["first", "second", "third", "fourth"].map((key) => (
        <div
          key={key}
          className="flex h-28 flex-col gap-2.5 rounded-xl border bg-card p-3.5 shadow-card sm:p-4"
        >
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-6 w-20" />
          <Skeleton className="h-3 w-24" />
        </div>
      ))}
    </div>
  );
}
