const DAY = 86_400_000;
// Asia/Qatar has no summer time.
const OFFSET = 3 * 3_600_000;

/** When the day of a moment began in Qatar. */
export function qatarMidnight(at: Date): Date {
  return new Date(Math.floor((at.getTime() + OFFSET) / DAY) * DAY - OFFSET);
}
