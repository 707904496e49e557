const MILLISECONDS = 4_000;

/** Does work that nobody waits for: at a touch or key, or after four seconds. Answers how to call it off. */
export function whenQuiet(work: () => void): () => void {
  const end = new AbortController();
  const start = () => {
    stop();
    work();
  };
  const timer = setTimeout(start, MILLISECONDS);
  const stop = () => {
    clearTimeout(timer);
    end.abort();
  };
  for (const event of ["pointerdown", "keydown"])
    window.addEventListener(event, start, { capture: true, passive: true, signal: end.signal });
  return stop;
}
