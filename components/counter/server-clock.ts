/**
 * By how many milliseconds this device's clock is ahead of the server's, which said its time a moment ago; 0 where it said
 * none.
 */
export function clockAhead(serverNow: string | null): number {
  const ahead = Date.now() - Date.parse(serverNow ?? "");
  return Number.isNaN(ahead) ? 0 : ahead;
}

/** A moment of the server by this device's clock. */
export function onThisClock(moment: string | null, ahead: number): string | null {
  return moment && new Date(Date.parse(moment) + ahead).toISOString();
}
