const DAY = 86_400_000;
/** Asia/Qatar is three hours ahead of UTC, and has no summer time. */
const QATAR = 3 * 3_600_000;

/** The day of a moment in Asia/Qatar, as YYYY-MM-DD. */
export function qatarDay(at: Date): string {
  return new Date(at.getTime() + QATAR).toISOString().slice(0, 10);
}

/** The moment a day (YYYY-MM-DD) begins in Asia/Qatar. */
export function dayStart(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) - QATAR);
}

/** The day so many days later (earlier when negative). */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY).toISOString().slice(0, 10);
}

/** So many days in a row, the given one last. */
export function lastDays(day: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => addDays(day, index - count + 1));
}

/** The first day of the day's month. */
export function monthStart(day: string): string {
  return `${day.slice(0, 7)}-01`;
}
