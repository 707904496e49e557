import { setTimeout as wait } from "node:timers/promises";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Skeleton } from "@/components/ui/skeleton";
import { CursorPager } from "./cursor-pager";
import { ListPart } from "./list-frame";

/** The outcome of a read that was started, kept until a part of the page shows it. It never rejects. */
export type DeferredRead<T> = Promise<{ value: T } | { error: unknown }>;

/** Defers the failure of a started read to the part of the page that shows it, so that it is not unhandled. */
export function deferRead<T>(read: Promise<T>): DeferredRead<T> {
  return read.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

// Data that arrives within this time is part of the first response, so that no skeleton flashes.
const INSTANT_MS = 100;

type Render<T> = (value: T) => ReactNode;

/** A part of a page with its own loading and error states. The rest of the page is shown meanwhile. */
export async function Streamed<T>({
  data,
  fallback,
  small,
  children,
}: {
  data: DeferredRead<T>;
  fallback: ReactNode;
  small?: boolean;
  children: Render<T>;
}) {
  const outcome = await Promise.race([data, wait(INSTANT_MS, null)]);
  if (outcome && "value" in outcome) {
    // No boundary: above 12.8 kB React sends its content last, hidden, and shows it up to 300 ms later.
    return <ListPart small={small}>{children(outcome.value)}</ListPart>;
  }
  return (
    <ListPart small={small} fallback={outcome ? null : fallback}>
      <Later data={data} render={children} />
    </ListPart>
  );
}

async function Later<T>({ data, render }: { data: DeferredRead<T>; render: Render<T> }) {
  const outcome = await data;
  if ("error" in outcome) throw outcome.error;
  return render(outcome.value);
}

/** The placeholder of a list, as high as its rows: a table from 900 px, narrow rows below. */
export function ListSkeleton({ rows = 14 }: { rows?: number }) {
  const t = useTranslations("common");
  const keys = Array.from({ length: rows }, (_, index) => `row-${index}`);
  return (
    <div role="status" className="list">
      <span className="sr-only">{t("loading")}</span>
      <div className="surface">
        <div className="waiting-head">
          <Skeleton className="h-3 w-1/5" />
          <Skeleton className="ms-auto h-3 w-20" />
        </div>
        {keys.map((key) => (
          <div key={key} className="waiting">
            <Skeleton className="h-4 w-1/3" />
            <Skeleton className="ms-auto h-4 w-20" />
          </div>
        ))}
      </div>
    </div>
  );
}

/** A page of a list with the way to the next one. Until it arrives, rows without content are in its place. */
export function StreamedList<P extends { nextCursor: string | null }>({
  data,
  children,
}: {
  data: DeferredRead<P>;
  children: (page: P) => ReactNode;
}) {
  return (
    <Streamed data={data} fallback={<ListSkeleton />}>
      {(page) => (
        <>
          {children(page)}
          <CursorPager nextCursor={page.nextCursor} />
        </>
      )}
    </Streamed>
  );
}
