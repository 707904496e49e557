import { ArrowLeftIcon } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/utils";
import { SavedListLink } from "./list-query";

/** Title, description and actions of a page. The shell has the h1, so the title is a second-level heading by default. */
export function PageHeader({
  title,
  description,
  actions,
  back,
  level = 2,
  className,
}: {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  back?: { href: string; label: string };
  level?: 1 | 2;
  className?: string;
}) {
  const Heading = `h${level}` as "h2";
  return (
    <div className={cn("base:mb-5 flex flex-col gap-2", className)}>
      {back && (
        <SavedListLink
          href={back.href}
          className="touch inline-flex min-h-6 w-fit items-center gap-1.5 text-muted-foreground text-sm hover:text-foreground"
        >
          <ArrowLeftIcon className="size-4 rtl:-scale-x-100" aria-hidden /> {back.label}
        </SavedListLink>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          {title && <Heading className="font-semibold text-xl leading-snug tracking-tight">{title}</Heading>}
          {description && <p className="text-muted-foreground text-sm">{description}</p>}
        </div>
        {actions && (
          // Six actions wrap into rows of equal length if they do not fit into one.
          <div className="flex flex-wrap items-center gap-2 max-xl:has-[>:nth-child(6)]:grid max-xl:has-[>:nth-child(6)]:grid-cols-3 max-sm:w-full max-sm:has-[>:nth-child(6)]:grid-cols-2 max-sm:*:grow">
            {actions}
          </div>
        )}
      </div>
    </div>
  );
}

/** A list of labels and values: two columns (or three) on wide screens, a line each on a phone. */
export function Details({
  items,
  columns = 2,
  className,
}: {
  items: readonly ({ label: string; value: ReactNode } | false | null | "" | undefined)[];
  columns?: 2 | 3;
  className?: string;
}) {
  return (
    <dl
      className={cn(
        "grid gap-x-6 max-sm:-my-2.5 max-sm:divide-y sm:gap-y-4",
        columns === 3 ? "sm:grid-cols-3" : "sm:grid-cols-2",
        className,
      )}
    >
      {items.map(
        (item) =>
          item && (
            <div
              key={item.label}
              className="min-w-0 max-sm:flex max-sm:flex-wrap max-sm:items-baseline max-sm:justify-between max-sm:gap-x-4 max-sm:py-2.5"
            >
              <dt className="text-muted-foreground text-xs max-sm:text-sm">{item.label}</dt>
              <dd className="wrap-anywhere min-w-0 font-medium text-sm tabular-nums max-sm:text-end sm:mt-0.5">
                {item.value}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** A part of a page with its heading, and what is opposite the heading. */
export function Section({
  id,
  title,
  aside,
  children,
}: Record<"title" | "aside" | "children", ReactNode> & { id: string }) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** The link to all of what a part of a page shows some of. */
export function AllLink(props: { href: string; children: ReactNode }) {
  return <Link {...props} className="touch text-link text-sm underline-offset-4 hover:underline" />;
}
