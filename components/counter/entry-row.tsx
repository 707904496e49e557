import type { ReactNode } from "react";
import { cn } from "@/components/ui/utils";

/**
 * One movement of a counter's short list. Nothing in it moves when Undo appears or ends: what comes and goes has its
 * place before the amount, and what stays (`tools`) after it. A narrow list has both of them below the amount.
 */
export function EntryRow({
  name,
  about,
  amount,
  passing,
  tools,
}: {
  name: string;
  about: ReactNode;
  amount: string;
  passing: ReactNode;
  tools?: ReactNode;
}) {
  const below = tools !== undefined;
  return (
    <li className="@container">
      <div
        className={cn(
          "grid min-h-16 content-center items-center gap-x-3 py-2 ps-4",
          below
            ? "grid-cols-[minmax(0,1fr)_auto_auto] gap-x-0 pe-2 @md:grid-cols-[minmax(0,1fr)_auto_auto_auto]"
            : "grid-cols-[minmax(0,1fr)_auto_auto] pe-4",
        )}
      >
        <p className="col-1 row-1 font-medium">
          <bdi className="block truncate">{name}</bdi>
        </p>
        <div className="col-1 row-2 min-w-0">{about}</div>
        <div
          className={cn(
            "col-2 flex min-w-12 justify-end",
            below ? "-my-2 row-2 @md:row-[1/3] @md:my-0 @md:me-3" : "-my-1 row-[1/3]",
          )}
        >
          {passing}
        </div>
        <bdi
          className={cn(
            "justify-self-end font-semibold tabular-nums",
            below ? "col-[2/4] row-1 pe-2 @md:col-3 @md:row-[1/3]" : "col-3 row-[1/3]",
          )}
        >
          {amount}
        </bdi>
        {below && (
          <div className="-my-2 col-3 row-2 flex min-w-12 justify-end @md:col-4 @md:row-[1/3] @md:my-0">
            {tools}
          </div>
        )}
      </div>
    </li>
  );
}
