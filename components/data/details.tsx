import type { ReactNode } from "react";
import { cn } from "@/components/ui/utils";

/** Names and values of one thing, in two columns where there is room. */
export function Details({
  items,
  className,
}: {
  items: readonly { label: string; value: ReactNode }[];
  className?: string;
}) {
  return (
    <dl className={cn("grid gap-x-6 gap-y-4 sm:grid-cols-2", className)}>
      {items.map(({ label, value }) => (
        <div key={label} className="min-w-0">
          <dt className="text-muted-foreground text-xs">{label}</dt>
          <dd className="mt-0.5 break-words font-medium text-sm tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
