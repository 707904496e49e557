// Notes in QAR that customers round up to.
const NOTES = [10, 50, 100, 200, 500] as const;
// More would not fit in two lines of a phone.
const MOST = 4;

/**
 * The amounts that a customer is likely to give for `dirhams`, in QAR, smallest first, and the change of each in dirhams.
 * None is exact, because an exact amount has no change.
 */
export function changeFor(dirhams: number): { given: number; change: number }[] {
  const likely = NOTES.map((note) => Math.ceil(dirhams / (note * 100)) * note);
  return [...new Set(likely)]
    .map((given) => ({ given, change: given * 100 - dirhams }))
    .filter(({ change }) => change > 0)
    .slice(0, MOST);
}
