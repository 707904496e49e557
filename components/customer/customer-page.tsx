import type { ReactNode } from "react";
import { cn } from "@/components/ui/utils";

/** The frame of what customers see: a quiet head with language and theme, one column, the card's own size. */
export function CustomerPage({
  head,
  tools,
  wide = false,
  children,
}: {
  head?: ReactNode;
  /** Language and theme. */
  tools: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="flex min-h-dvh flex-col bg-[radial-gradient(120%_60%_at_50%_0%,var(--accent),transparent)]">
      <header
        className={cn(
          "mx-auto flex w-full items-center justify-between gap-3 px-4 py-3",
          wide ? "max-w-5xl sm:px-6" : "max-w-md",
        )}
      >
        <div className="min-w-0 truncate font-semibold text-sm">{head}</div>
        {tools}
      </header>
      <main
        className={cn(
          "mx-auto flex w-full grow flex-col px-4 pb-12",
          wide ? "max-w-5xl sm:px-6" : "max-w-md",
        )}
      >
        {children}
      </main>
    </div>
  );
}
