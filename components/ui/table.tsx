import type { ComponentProps, ReactNode } from "react";
import { cn, part } from "./utils";

/** A table; `head` are the cells of its head, `children` its rows. */
export function Table({
  className,
  head,
  children,
  ...props
}: ComponentProps<"table"> & { head: ReactNode }) {
  return (
    <div className="relative w-full overflow-x-auto">
      <table className={cn("w-full text-sm", className)} {...props}>
        <thead className="bg-muted/60 [&_tr]:border-b">
          <TableRow>{head}</TableRow>
        </thead>
        <tbody className="[&_tr:last-child]:border-0">{children}</tbody>
      </table>
    </div>
  );
}

export const TableRow = part(
  "tr",
  "table-row",
  "border-b transition-colors hover:bg-muted/50 data-[state=selected]:bg-muted",
);

export const TableHead = part(
  "th",
  "table-head",
  "h-10 whitespace-nowrap px-(--cell-x) base:text-start align-middle font-medium text-muted-foreground text-xs",
  { scope: "col" },
);

export const TableCell = part("td", "table-cell", "px-(--cell-x) base:py-(--cell-y) align-middle");
