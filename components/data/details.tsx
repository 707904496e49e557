import type { ReactNode } from "react";
import { cn } from "@/components/ui/utils";

/** Names and values of one thing: in two columns where there is room, else a line each. */
export function Details({
  items,
  className,
}: {
  /** `wide` ones take a line of their own. */
  items: readonly { label: string; value: ReactNode; wide?: boolean }[];
  className?: string;
}) {
  return (
    <dl className={cn("grid gap-x-6 max-sm:-my-2.5 max-sm:divide-y sm:grid-cols-2 sm:gap-y-4", className)}>
      {items.map(({ label, value, wide }) => (
        <div
          key={label}
          className={cn(
            "min-w-0 max-sm:flex max-sm:flex-wrap max-sm:items-baseline max-sm:justify-between max-sm:gap-x-4 max-sm:py-2.5",
            wide && "sm:col-span-full",
          )}
        >
          <dt className="text-muted-foreground text-xs max-sm:text-sm">{label}</dt>
          <dd className="wrap-anywhere min-w-0 font-medium text-sm tabular-nums max-sm:text-end sm:mt-0.5">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
