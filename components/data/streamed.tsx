import { type ReactNode, Suspense } from "react";
import { ListPart } from "./list-frame";

type Outcome<T> = { value: T } | { error: unknown };

/** The outcome of a read that was started, kept until a part of the page shows it. It never rejects. */
export type DeferredRead<T> = Promise<Outcome<T>>;

/** Defers the failure of a started read to the part of the page that shows it, so that it is not unhandled. */
export function deferRead<T>(read: Promise<T>): DeferredRead<T> {
  return read.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

// Data that arrives within this time is part of the first response, so that no skeleton flashes.
const INSTANT_MS = 100;

async function outcomeIfInstant<T>(data: DeferredRead<T>): Promise<Outcome<T> | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, INSTANT_MS, null);
  });
  const first = await Promise.race([data, timeout]);
  clearTimeout(timer);
  return first;
}

type Render<T> = (value: T) => ReactNode;

/** A part of a page with its own loading and error states. The rest of the page is shown meanwhile. */
export async function Streamed<T>({
  data,
  fallback,
  small,
  children,
}: {
  data: DeferredRead<T>;
  /** A placeholder as high as the content. */
  fallback: ReactNode;
  /** For a part of a line or two: its error message is as small. */
  small?: boolean;
  children: Render<T>;
}) {
  const outcome = await outcomeIfInstant(data);
  return (
    <ListPart small={small}>
      {/* The boundary stays for the next filter; what is here already needs no placeholder, which is sent with the page. */}
      <Suspense fallback={outcome ? null : fallback}>
        {outcome ? (
          <Settled outcome={outcome} render={children} />
        ) : (
          <Pending data={data} render={children} />
        )}
      </Suspense>
    </ListPart>
  );
}

function Settled<T>({ outcome, render }: { outcome: Outcome<T>; render: Render<T> }) {
  if ("error" in outcome) throw outcome.error;
  return render(outcome.value);
}

async function Pending<T>({ data, render }: { data: DeferredRead<T>; render: Render<T> }) {
  return <Settled outcome={await data} render={render} />;
}
