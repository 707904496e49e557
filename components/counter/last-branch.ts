const NAME = "counter.branch";

/** The branch this device booked on last: most stand at one counter all day. */
export function lastBranch(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

export function rememberBranch(id: string): void {
  try {
    localStorage.setItem(NAME, id);
  } catch {}
}
