import { ChevronRightIcon } from "lucide-react";
import Link from "next/link";
import { Money } from "@/components/data/money";
import type { Outstanding } from "@/lib/reports/model/totals";

/** What customers hold at this moment, with a link to its report. It is of no period and of no branch. */
export function Owed({
  of: { points, cashValue },
  label,
  hint,
  href,
}: {
  of: Outstanding;
  label: string;
  hint: string;
  href: string;
}) {
  return (
    <Link
      href={href}
      prefetch={false}
      className="group flex min-h-14 items-center gap-3 rounded-xl border bg-card px-4 py-2.5 shadow-card hover:bg-muted/50 sm:px-5"
    >
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
        <span className="font-medium text-sm">{label}</span>
        <span className="text-muted-foreground text-xs">{hint}</span>
      </span>
      <Money points={points} value={cashValue} className="justify-end max-sm:flex-col max-sm:items-end" />
      <ChevronRightIcon className="size-4 shrink-0 text-muted-foreground rtl:-scale-x-100" aria-hidden />
    </Link>
  );
}
