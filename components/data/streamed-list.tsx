import type { ReactNode } from "react";
import { CursorPager } from "./cursor-pager";
import { ListSkeleton } from "./list-skeleton";
import { type DeferredRead, Streamed } from "./streamed";

type Listed = { nextCursor: string | null };

/** A page of a list with the way to the next one. Until it arrives, rows without content are in its place. */
export function StreamedList<P extends Listed>({
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
