import type { ReactNode } from "react";
import { Money } from "@/components/data/money";
import { cn } from "@/components/ui/utils";
import type { CounterMovement } from "./types";

/**
 * One movement of a counter's short list. Nothing in it moves when Undo appears or ends: what comes and goes has its
 * place before the amount, and what stays (`tools`) after it. A narrow list has both of them below the amount.
 */
export function EntryRow({
  name,
  about,
  movement: { points, pointsValue },
  passing,
  tools,
}: {
  name: string;
  about: ReactNode;
  movement: Pick<CounterMovement, "points" | "pointsValue">;
  passing: ReactNode;
  tools?: ReactNode;
}) {
  const below = tools !== undefined;
  return (
    <li className="@container">
      <div
        className={cn(
          "grid min-h-16 content-center items-center py-2 ps-4 @md:gap-x-3",
          below
            ? "grid-cols-[minmax(0,1fr)_auto_auto] gap-x-0 pe-2 @md:grid-cols-[minmax(0,1fr)_auto_auto_auto]"
            : "grid-cols-[minmax(0,1fr)_auto_auto] gap-x-2 pe-4",
        )}
      >
        <p className="col-1 row-1 font-medium">
          <bdi className="wrap-anywhere block leading-tight">{name}</bdi>
        </p>
        <div className="col-1 row-2 min-w-0">{about}</div>
        <div
          className={cn(
            "col-2 flex min-w-12 justify-end @lg:min-w-24",
            below ? "-my-2 row-2 @md:row-[1/3] @md:my-0 @md:me-3" : "-my-1 row-[1/3]",
          )}
        >
          {passing}
        </div>
        <Money
          signed
          layout="stack"
          points={points}
          value={points < 0 ? `-${pointsValue}` : pointsValue}
          // All amounts of a list are as wide, so that Undo has one place.
          className={cn(
            "min-w-26 justify-self-end @max-lg:text-sm @lg:min-w-30",
            below
              ? "col-[2/4] row-1 pe-2 @md:col-3 @md:row-[1/3] @max-md:[&>:last-child]:hidden"
              : "col-3 row-[1/3]",
          )}
        />
        {below && (
          <div className="-my-2 col-3 row-2 flex min-w-12 justify-end @md:col-4 @md:row-[1/3] @md:my-0">
            {tools}
          </div>
        )}
      </div>
    </li>
  );
}
