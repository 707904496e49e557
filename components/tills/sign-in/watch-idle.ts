/** Local storage: when somebody last touched the till, in milliseconds; one for all tabs. */
const TOUCHED = "till.touched";
/** Local storage: the handle of the session in which it was. */
const TOUCHED_IN = "till.touchedIn";
const CHECK_MS = 5_000;
const NOTE_MS = 2_000;
const EVENTS = ["pointerdown", "keydown", "wheel", "touchmove"] as const;

/** Notes that somebody touches the till in the session with this handle. */
export function touchTill(handle: string): void {
  localStorage.setItem(TOUCHED, String(Date.now()));
  localStorage.setItem(TOUCHED_IN, handle);
}

/** Whether so many milliseconds have passed since a moment. A moment to come is of a clock that was set back since. */
function hasPassed(moment: number, milliseconds: number): boolean {
  const since = Date.now() - moment;
  return since >= milliseconds || since < 0;
}

/** Calls `onIdle` every few seconds once nobody touched the till in any tab for so many minutes. Answers what stops it. */
export function watchIdle(minutes: number, handle: string, onIdle: () => void): () => void {
  let noted = 0;
  const touched = () => {
    if (!hasPassed(noted, NOTE_MS)) return;
    noted = Date.now();
    touchTill(handle);
  };
  const check = () => {
    if (hasPassed(Number(localStorage.getItem(TOUCHED)), minutes * 60_000)) onIdle();
  };
  // Only a new session begins with a touch: a page may load after the device slept, or its browser was closed, for hours.
  if (localStorage.getItem(TOUCHED_IN) === handle) check();
  else touched();
  const following = new AbortController();
  const { signal } = following;
  for (const event of EVENTS)
    window.addEventListener(event, touched, { passive: true, capture: true, signal });
  // A device that wakes up is asked first.
  document.addEventListener("visibilitychange", check, { signal });
  const timer = setInterval(check, CHECK_MS);
  return () => {
    following.abort();
    clearInterval(timer);
  };
}
