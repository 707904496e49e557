import { Prisma } from "./generated/client";

/**
 * The type under which a movement counts in sums: a reversal takes its points from what it reverses, so below 0 it
 * is a top-up and above 0 a redeem. How many there were counts the originals alone (MOVEMENT_COUNT).
 */
export const MOVEMENT_KIND = Prisma.sql`case when type <> 'REVERSAL' then type
  when points < 0 then 'TOP_UP'::"MovementType" else 'REDEEM'::"MovementType" end`;
export const MOVEMENT_COUNT = Prisma.sql`(type <> 'REVERSAL')::int`;
