import { createDb, type Db } from "@/lib/db/client";

/** Does the work on a new client of this database, and lets it go. */
export async function withDb<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = createDb(url, 4);
  try {
    return await work(db);
  } finally {
    await db.$disconnect();
  }
}
