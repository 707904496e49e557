const MILLISECONDS = 4_000;

/**
 * Does work that no visitor waits for: when somebody first touches the page or presses a key, or four seconds after it
 * ran. Before, it would take the line and the processor from what is looked at. Answers a function that calls it off.
 */
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
