import type { Db } from "@/lib/db/client";
import { qatarMidnight } from "@/lib/domain/qatar-day";
import type { Worker, WorkerStatus, WorkerToday } from "@/lib/domain/worker";

export const workerSelect = {
  id: true,
  firstName: true,
  lastName: true,
  email: true,
  phone: true,
  status: true,
  createdAt: true,
  branch: { select: { id: true, name: true } },
  merchant: { select: { id: true, businessName: true } },
} as const;

export type WorkerRow = Omit<Worker, "merchant" | "today" | "status"> & {
  status: WorkerStatus;
  merchant: Worker["merchant"] | null;
};

const NOTHING: WorkerToday = { topUps: { count: 0, points: 0 }, redeems: { count: 0, points: 0 }, undone: 0 };

/** What each of these workers did since midnight in Qatar: one query for all of them. */
export async function doneToday(db: Db, ids: string[], now: Date): Promise<Map<string, WorkerToday>> {
  const sums =
    ids.length === 0
      ? []
      : await db.movement.groupBy({
          by: ["actorId", "type"],
          where: { actorId: { in: ids }, createdAt: { gte: qatarMidnight(now) } },
          _count: { _all: true },
          _sum: { points: true },
        });
  const days = new Map<string, WorkerToday>();
  for (const { actorId, type, _count, _sum } of sums) {
    const day = days.get(actorId) ?? NOTHING;
    const sum = { count: _count._all, points: Math.abs(_sum.points ?? 0) };
    if (type === "TOP_UP") days.set(actorId, { ...day, topUps: sum });
    if (type === "REDEEM") days.set(actorId, { ...day, redeems: sum });
    if (type === "REVERSAL") days.set(actorId, { ...day, undone: sum.count });
  }
  return days;
}

/** A worker out of a row. Every worker has a merchant: the database says so. */
export function workerFrom({ merchant, ...row }: WorkerRow, today: WorkerToday = NOTHING): Worker {
  return { ...row, merchant: merchant ?? { id: "", businessName: "" }, today };
}
