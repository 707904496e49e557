/** Reads that run at once: with one, a slow answer would hold up everybody. */
const IN_FLIGHT = 2;
const MOST_KEYS = 200;

type Waiting<Row> = {
  key: string;
  resolve: (row: Row | undefined) => void;
  reject: (error: unknown) => void;
};

/**
 * Answers a function that reads one row by its key. Keys that are asked for while reads are in flight share the next one, which
 * begins after each of them was asked for: so an answer is never older than its question. `read` answers the rows by their
 * keys, and must wait for no lock. An error of `read` is thrown to all who share it.
 */
export function readTogether<Row>(
  read: (keys: string[]) => Promise<Map<string, Row>>,
): (key: string) => Promise<Row | undefined> {
  let waiting: Waiting<Row>[] = [];
  let inFlight = 0;

  async function send(batch: Waiting<Row>[]): Promise<void> {
    try {
      const rows = await read([...new Set(batch.map(({ key }) => key))]);
      for (const { key, resolve } of batch) resolve(rows.get(key));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
  function pump(): void {
    while (inFlight < IN_FLIGHT && waiting.length > 0) {
      const batch = waiting.slice(0, MOST_KEYS);
      waiting = waiting.slice(MOST_KEYS);
      inFlight++;
      void send(batch).finally(() => {
        inFlight--;
        pump();
      });
    }
  }
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      pump();
    });
}
