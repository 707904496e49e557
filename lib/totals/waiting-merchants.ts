import type { Db } from "@/lib/db/client";
import type { Dashboard } from "@/lib/domain/totals";

/** The merchants that wait for a decision: how many, and the five that have waited longest. */
export async function waitingMerchants(db: Db): Promise<NonNullable<Dashboard["waiting"]>> {
  const where = { status: "pending" } as const;
  const [count, rows] = await Promise.all([
    db.merchant.count({ where }),
    db.merchant.findMany({
      where,
      orderBy: { createdAt: "asc" },
      take: 5,
      select: { id: true, businessName: true, firstName: true, lastName: true, createdAt: true },
    }),
  ]);
  const first = rows.map(({ firstName, lastName, ...row }) => ({
    ...row,
    owner: `${firstName} ${lastName}`,
  }));
  return { count, first };
}
