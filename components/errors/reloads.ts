type Store = Pick<Storage, "getItem" | "setItem">;

export const MAX_RELOADS = 5;
const COUNT_KEY = "error_reloads";
const FLAG_PREFIX = "error_reloaded:";
/** A spell of trouble: tries further apart than this belong to different ones. */
const SPELL_MS = 10 * 60 * 1000;

/** Whether this error has not reloaded the page yet; marks it, so that the answer is yes only once an error. */
export function claimAutoReload(store: Store, error: string): boolean {
  const key = FLAG_PREFIX + error.slice(0, 200);
  if (store.getItem(key) !== null) return false;
  store.setItem(key, "1");
  return store.getItem(key) !== null;
}

/** Counts one more Try Again; answers false when there were more than five in a row. */
export function countReload(store: Store, now: number): boolean {
  const [count = 0, at = 0] = (store.getItem(COUNT_KEY) ?? "").split("@").map(Number);
  const next = now - at < SPELL_MS && Number.isFinite(count) ? count + 1 : 1;
  store.setItem(COUNT_KEY, `${next}@${now}`);
  return next <= MAX_RELOADS;
}
