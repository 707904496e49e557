/** The notes and coins of a drawer, in QAR, largest first. */
export const NOTES = [500, 200, 100, 50, 10, 5, 1] as const;
export type Note = (typeof NOTES)[number];
/** How many there are of each. */
export type NoteCounts = Partial<Record<Note, number>>;

/** What these notes and coins are worth, in QAR. */
export const sumOfNotes = (counts: NoteCounts): number =>
  NOTES.reduce((sum, note) => sum + note * (counts[note] ?? 0), 0);
