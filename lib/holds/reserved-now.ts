import { Prisma } from "@/lib/db/generated/client";
import { merchantWhere } from "@/lib/domain/actor";
import { nothingSchema } from "@/lib/domain/ids";
import { cashValue } from "@/lib/domain/money";
import { operation } from "@/lib/operations/operation";
import type { ReservedNow } from "./model";

/** The points that open holds reserve at this moment within the reach, in points and QAR at the rates in force, and how many there are. */
export const reservedNow = operation({
  permission: "reports.read",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<ReservedNow> => {
    const { merchantId } = merchantWhere(ctx.reach);
    const own = merchantId ? Prisma.sql`and h.merchant_id = ${merchantId}::uuid` : Prisma.empty;
    const [row] = await ctx.db.$queryRaw<{ holds: number; points: bigint; dirhams: bigint }[]>`
      select coalesce(sum(open.holds), 0)::int as holds, coalesce(sum(open.points), 0)::bigint as points,
        coalesce(sum(open.points * config.dirhams_per_point), 0)::bigint as dirhams
      from (
        select h.merchant_id, count(*) as holds, sum(h.points - h.captured) as points
        from holds h join merchants m on m.id = h.merchant_id
        where h.state = 'open' and not is_lapsed(h.expires_at, m.suspended_at, ${ctx.clock()}::timestamptz) ${own}
        group by h.merchant_id
      ) open cross join lateral points_config_in_force(open.merchant_id) config`;
    const { holds = 0, points = 0n, dirhams = 0n } = row ?? {};
    return { holds, points: Number(points), cashValue: cashValue(dirhams, 1) };
  },
});
