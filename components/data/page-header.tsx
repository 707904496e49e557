import { ArrowLeftIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/utils";
import { KeptLink } from "./kept-view";

/** Title, line and actions of a page's content. Within the shell, which has the h1, it is a second-level heading. */
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
    <div className={cn("mb-5 flex flex-col gap-2", className)}>
      {back && (
        <KeptLink
          href={back.href}
          className="inline-flex min-h-6 w-fit items-center gap-1.5 text-muted-foreground text-sm hover:text-foreground"
        >
          <ArrowLeftIcon className="size-4 rtl:-scale-x-100" aria-hidden /> {back.label}
        </KeptLink>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          {title && <Heading className="font-semibold text-xl leading-snug tracking-tight">{title}</Heading>}
          {description && <p className="text-muted-foreground text-sm">{description}</p>}
        </div>
        {actions && (
          <div className="flex flex-wrap items-center gap-2 has-[>.w-full]:max-sm:w-full">{actions}</div>
        )}
      </div>
    </div>
  );
}

/** Names and values of one thing: in two columns where there is room, else a line each. */
export function Details({
  items,
  className,
}: {
  /** `wide` ones take a line of their own. */
  items: readonly { label: string; value: ReactNode; wide?: boolean }[];
  className?: string;
}) {
  return (
    <dl className={cn("grid gap-x-6 max-sm:-my-2.5 max-sm:divide-y sm:grid-cols-2 sm:gap-y-4", className)}>
      {items.map(({ label, value, wide }) => (
        <div
          key={label}
          className={cn(
            "min-w-0 max-sm:flex max-sm:flex-wrap max-sm:items-baseline max-sm:justify-between max-sm:gap-x-4 max-sm:py-2.5",
            wide && "sm:col-span-full",
          )}
        >
          <dt className="text-muted-foreground text-xs max-sm:text-sm">{label}</dt>
          <dd className="wrap-anywhere min-w-0 font-medium text-sm tabular-nums max-sm:text-end sm:mt-0.5">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
