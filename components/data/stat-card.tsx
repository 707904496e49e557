import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Skeleton } from "@/components/ui/skeleton";

type StatCardProps = {
  label: ReactNode;
  value: ReactNode;
  hint?: ReactNode;
  icon: LucideIcon;
};

/** One figure of a dashboard. */
export function StatCard({ label, value, hint, icon: Icon }: StatCardProps) {
  return (
    <div
      data-slot="stat"
      className="@container flex flex-col gap-1 rounded-xl border bg-card p-3.5 shadow-card sm:p-4"
    >
      <div className="flex items-start justify-between gap-2">
        <p className="font-medium text-muted-foreground text-sm leading-5">{label}</p>
        <Icon className="size-4.5 shrink-0 text-muted-foreground" aria-hidden />
      </div>
      <p className="figure">{value}</p>
      {hint && <p className="pt-0.5 text-muted-foreground text-xs tabular-nums">{hint}</p>}
    </div>
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
