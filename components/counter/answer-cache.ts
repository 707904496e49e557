import type { Answer, CounterHit, RecentMovement } from "./types";

/** The server's answers of the last milliseconds, by session and question; none of a till without a connection. */
function answersOf<T>(milliseconds: number) {
  const kept = new Map<string, { at: number; data: T }>();
  return {
    get: (session: string, question: string): T | null => {
      const { at, data } = kept.get(`${session} ${question}`) ?? { at: 0, data: null };
      // A moment to come is of a clock that was set back since.
      const age = Date.now() - at;
      return age >= 0 && age < milliseconds ? data : null;
    },
    keep: (session: string, question: string, { data, asOf }: Extract<Answer<T>, { kind: "ok" }>): void => {
      if (asOf === undefined) kept.set(`${session} ${question}`, { at: Date.now(), data });
    },
    clear: () => kept.clear(),
  };
}

export const foundCustomers = answersOf<CounterHit[]>(60_000);
export const latestRows = answersOf<RecentMovement[]>(30_000);

/** After a posting, whose balances and movements they do not have. */
export function clearAnswers(): void {
  foundCustomers.clear();
  latestRows.clear();
}
