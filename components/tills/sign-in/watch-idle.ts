import { lastTouched, touchTill, wasTouchedIn } from "../device/own-till";

const CHECK_MS = 5_000;
const NOTE_MS = 2_000;
const EVENTS = ["pointerdown", "keydown", "wheel", "touchmove"] as const;

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
    if (hasPassed(lastTouched(), minutes * 60_000)) onIdle();
  };
  // Only a new session begins with a touch: a page may load after the device slept, or its browser was closed, for hours.
  if (wasTouchedIn(handle)) check();
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
