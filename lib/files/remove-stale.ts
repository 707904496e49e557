import type { Db } from "@/lib/db/client";
import { pendingKey } from "./storage/keys";
import { storage } from "./storage/store";
import type { Storage } from "./storage/types";

const DAY = 24 * 60 * 60 * 1000;

/** Removes uploads that nobody attached within a day, and what was taken out of use. Answers how many. */
export async function removeStale(db: Db, store: Storage = storage(), now = new Date()): Promise<number> {
  const where = { attachedAt: null, createdAt: { lt: new Date(now.getTime() - DAY) } };
  const rows = await db.upload.findMany({ where, select: { id: true, key: true }, take: 200 });
  if (rows.length === 0) return 0;
  // The files first: a row without files is found again, files without a row never are.
  await store.remove(rows.flatMap(({ key }) => [key, pendingKey(key)]));
  const { count } = await db.upload.deleteMany({
    where: { ...where, id: { in: rows.map((row) => row.id) } },
  });
  return count;
}
