import type { ComponentProps } from "react";
import { cn, part } from "./utils";

export function Table({ className, ...props }: ComponentProps<"table">) {
  return (
    <div data-slot="table-container" className="relative w-full overflow-x-auto">
      <table data-slot="table" className={cn("w-full caption-bottom text-sm", className)} {...props} />
    </div>
  );
}

export const TableHeader = part("thead", "table-header", "bg-muted/60 [&_tr]:border-b");

export const TableBody = part("tbody", "table-body", "[&_tr:last-child]:border-0");

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

export const TableCaption = part("caption", "table-caption", "mt-4 text-muted-foreground text-sm");
