import type { Db } from "@/lib/db/client";

/** What a point of this merchant is worth now, in dirhams. */
export async function rateInForce(db: Db, merchantId: string): Promise<number> {
  const [rules] = await db.$queryRaw<{ rate: number }[]>`
    select dirhams_per_point as rate from points_config_in_force(${merchantId}::uuid)`;
  if (!rules) throw new Error("no points configuration is in force");
  return rules.rate;
}
