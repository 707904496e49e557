import type { PublicContext } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";

/** Answers when the database is reachable and no migration failed. Throws unavailable. */
export async function readiness(ctx: PublicContext, _input: Record<never, never>): Promise<{ ready: true }> {
  try {
    const [row] = await ctx.db.$queryRaw<{ pending: number }[]>`
      select count(*) filter (where finished_at is null and rolled_back_at is null)::int as pending
      from _prisma_migrations`;
    if (row?.pending !== 0) throw new DomainError("unavailable");
  } catch (cause) {
    throw cause instanceof DomainError ? cause : new DomainError("unavailable", {}, [], { cause });
  }
  return { ready: true };
}
readiness.permission = "public" as const;

/** Answers whenever the process does. */
export async function health(_ctx: PublicContext, _input: Record<never, never>): Promise<{ alive: true }> {
  return { alive: true };
}
health.permission = "public" as const;
