// This mark says whether the browser is a till, without a wait: only a till loads the modules of IndexedDB (device.ts).

/** Local storage: "paired" on a till, "retired" if the server no longer knows the till's key. */
const MARK = "till";

/** The cookie of a browser that is a till; the login page has it where it was one too. It is not a secret and proves nothing. */
export const TILL_COOKIE = "wallet_till";

type Mark = "paired" | "retired" | null;

/** Answers the mark of this browser. Null if it never was a till. */
export function readMark(): Mark {
  try {
    const mark = localStorage.getItem(MARK);
    return mark === "paired" || mark === "retired" ? mark : null;
  } catch {
    return null;
  }
}

/** Writes down what this browser is. Cookies tell the login page, which opens on the faces, and the counter, for its frame. */
export function writeMark(mark: Mark): void {
  if (mark === null) localStorage.removeItem(MARK);
  else localStorage.setItem(MARK, mark);
  for (const [path, on] of [
    ["/login", mark !== null],
    ["/employee", mark === "paired"],
  ] as const) {
    const seconds = on ? 400 * 24 * 60 * 60 : 0;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser of a till
    document.cookie = `${TILL_COOKIE}=1; path=${path}; max-age=${seconds}; samesite=lax`;
  }
}

/** Notes that the server no longer knows this till's key, and removes what it kept of its cashier and its customers. */
export async function markRetired(): Promise<void> {
  writeMark("retired");
  // The counter of a retired till tries again when it opens.
  await import("../offline/store").then(({ forgetTill }) => forgetTill()).catch(() => undefined);
}
