// Whether this browser is a till, readable without a wait. The key itself is in IndexedDB (device.ts), whose modules a
// browser that is no till never loads.

/** Local storage: "paired" on a till, "retired" where the server no longer knows its key. */
const MARK = "till";

type Mark = "paired" | "retired" | null;

/** What this browser is; null for one that never was a till. */
export function readMark(): Mark {
  try {
    const mark = localStorage.getItem(MARK);
    return mark === "paired" || mark === "retired" ? mark : null;
  } catch {
    return null;
  }
}

/** Writes down what this browser is; null forgets it. */
export function writeMark(mark: Mark): void {
  if (mark === null) localStorage.removeItem(MARK);
  else localStorage.setItem(MARK, mark);
}
