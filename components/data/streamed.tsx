import { type ReactNode, Suspense } from "react";
import { ListPart } from "./list-frame";

type Outcome<T> = { value: T } | { error: unknown };

/** What a read comes to, kept until a part of the page shows it. */
export type Soon<T> = Promise<Outcome<T>>;

/** Starts nothing, loses nothing: a failure waits for the part that shows it. */
export function soon<T>(read: Promise<T>): Soon<T> {
  return read.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

// What people take for at once: what is here by then comes with the page, so no skeleton blinks.
const AT_ONCE_MS = 100;

async function atOnce<T>(data: Soon<T>): Promise<Outcome<T> | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((done) => {
    timer = setTimeout(done, AT_ONCE_MS, null);
  });
  const first = await Promise.race([data, late]);
  clearTimeout(timer);
  return first;
}

type Render<T> = (value: T) => ReactNode;

/** A part of a page that has its own wait and its own failure: the frame around it stands meanwhile. */
export async function Streamed<T>({
  data,
  fallback,
  small,
  children,
}: {
  data: Soon<T>;
  /** As high as what comes. */
  fallback: ReactNode;
  /** A line or two: its failure takes no more. */
  small?: boolean;
  children: Render<T>;
}) {
  const outcome = await atOnce(data);
  return (
    <ListPart small={small}>
      <Suspense fallback={fallback}>
        {outcome ? <Shown outcome={outcome} render={children} /> : <Late data={data} render={children} />}
      </Suspense>
    </ListPart>
  );
}

function Shown<T>({ outcome, render }: { outcome: Outcome<T>; render: Render<T> }) {
  if ("error" in outcome) throw outcome.error;
  return render(outcome.value);
}

async function Late<T>({ data, render }: { data: Soon<T>; render: Render<T> }) {
  return <Shown outcome={await data} render={render} />;
}
