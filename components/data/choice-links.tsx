"use client";

import Link from "next/link";
import { cn } from "@/components/ui/utils";
import { useUrlFilters } from "./url-filters";

/** Choices beside one another, of which one is in force; each is a link that keeps it in the URL. */
export function ChoiceLinks<K extends string>({
  label,
  choices,
  chosen,
  nameOf,
  patchOf,
  className,
  linkClassName,
}: {
  label: string;
  choices: readonly K[];
  chosen: K;
  nameOf: (choice: K) => string;
  /** Answers the parameters that a choice changes in the URL. Null removes a parameter. */
  patchOf: (choice: K) => Record<string, string | null>;
  className?: string;
  linkClassName?: string;
}) {
  const { hrefWith, linkTo } = useUrlFilters();
  return (
    <nav aria-label={label} className={cn("rounded-lg bg-muted text-muted-foreground", className)}>
      {choices.map((choice) => (
        <Link
          key={choice}
          {...linkTo(hrefWith(patchOf(choice)))}
          prefetch={false}
          aria-current={choice === chosen ? "true" : undefined}
          className={cn(
            "inline-flex h-8 pointer-coarse:h-11 pointer-coarse:min-w-11 items-center justify-center rounded-md font-medium hover:text-foreground",
            choice === chosen && "bg-card text-foreground shadow-sm",
            linkClassName,
          )}
        >
          {nameOf(choice)}
        </Link>
      ))}
    </nav>
  );
}
