import { ChevronRightIcon } from "lucide-react";
import Link from "next/link";
import { Money } from "@/components/data/money";
import { cn, noteStyle } from "@/components/ui/utils";
import type { NoteGround } from "@/lib/cards/model/card-colours";
import type { Outstanding } from "@/lib/reports/model/totals";

/**
 * The customers' balances at this moment, with a link to their report; a shop's stand on its banknote. Neither the period
 * nor the branch of the page narrows them.
 */
export function Owed({
  of: { points, cashValue },
  label,
  hint,
  href,
  note,
}: {
  of: Outstanding;
  label: string;
  hint: string;
  href: string;
  note?: NoteGround;
}) {
  return (
    <Link
      href={href}
      prefetch={false}
      className={cn(
        "flex items-center gap-3 rounded-xl px-4 shadow-card sm:px-5",
        note
          ? "owed min-h-20 bg-center bg-cover py-4 text-white"
          : "min-h-14 border bg-card py-2.5 hover:bg-muted/50",
      )}
      style={note && noteStyle(note)}
    >
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
        <span className="font-medium text-sm">{label}</span>
        <span className={cn("text-xs", !note && "text-muted-foreground")}>{hint}</span>
      </span>
      <Money points={points} value={cashValue} className="justify-end max-sm:flex-col max-sm:items-end" />
      <ChevronRightIcon
        className={cn("size-4 shrink-0 rtl:-scale-x-100", !note && "text-muted-foreground")}
        aria-hidden
      />
    </Link>
  );
}
