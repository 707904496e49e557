import type { ReactNode } from "react";
import { cn } from "@/components/ui/utils";

/**
 * One movement of a counter's short list. Nothing in it moves when Undo appears or ends: one button has a fixed place
 * before the amount; several (`stacked`) stand after it, below it in a narrow list, and Undo comes first.
 */
export function EntryRow({
  name,
  about,
  amount,
  tools,
  stacked,
}: {
  name: string;
  about: ReactNode;
  amount: string;
  tools: ReactNode;
  stacked: boolean;
}) {
  return (
    <li className="@container">
      <div
        className={cn(
          "grid min-h-16 content-center items-center gap-x-3 py-2 ps-4",
          stacked
            ? "grid-cols-[minmax(0,1fr)_auto] pe-2 @md:grid-cols-[minmax(0,1fr)_auto_auto]"
            : "grid-cols-[minmax(0,1fr)_auto_auto] pe-4",
        )}
      >
        <p className="col-1 row-1 font-medium">
          <bdi className="block truncate">{name}</bdi>
        </p>
        <div className="col-1 row-2 min-w-0">{about}</div>
        <bdi
          className={cn(
            "justify-self-end font-semibold tabular-nums",
            stacked ? "col-2 row-1 pe-2 @md:row-[1/3] @md:pe-0" : "col-3 row-[1/3]",
          )}
        >
          {amount}
        </bdi>
        <div
          className={cn(
            "flex justify-end",
            stacked ? "col-2 row-2 @md:col-3 @md:row-[1/3] @md:min-w-24" : "-my-1 col-2 row-[1/3] min-w-12",
          )}
        >
          {tools}
        </div>
      </div>
    </li>
  );
}
