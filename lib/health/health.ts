import { getDb } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import { hasSeparateRole } from "@/lib/db/roles";
import { DomainError } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { log } from "@/lib/observe/log";
import { type WaitingWork, waitingWork } from "./backlog";

/**
 * Answers if the database is reachable, no migration failed and the newest migration of this build was applied
 * (next.config.ts writes its name into the build). `apart` is true if the program's database role differs from the
 * ledger's owner. `backlog` is the work that waits; a long one leaves the server ready. Throws unavailable otherwise.
 */
export async function readiness(
  ctx: PublicContext,
  _input: Record<never, never>,
): Promise<{ ready: true; apart: boolean; backlog: WaitingWork | null }> {
  try {
    const newest = process.env.NEWEST_MIGRATION ?? null;
    const [row] = await ctx.db.$queryRaw<{ pending: number; applied: number }[]>`
      select count(*) filter (where finished_at is null and rolled_back_at is null)::int as pending,
        count(*) filter (where migration_name = ${newest}::text and finished_at is not null
          and rolled_back_at is null)::int as applied
      from _prisma_migrations`;
    if (row?.pending !== 0 || (newest !== null && row.applied === 0)) throw new DomainError("unavailable");
    return { ready: true, apart: await hasSeparateRole(ctx.db), backlog: await waitingWork() };
  } catch (cause) {
    throw cause instanceof DomainError ? cause : new DomainError("unavailable", {}, [], { cause });
  }
}
readiness.permission = "public" as const;
readiness.input = nothingSchema;
readiness.errors = ["unavailable"] as const;

/** Answers while the process runs. */
export async function health(_ctx: PublicContext, _input: Record<never, never>): Promise<{ alive: true }> {
  return { alive: true };
}
health.permission = "public" as const;
health.input = nothingSchema;

const ONE_ROLE =
  "DATABASE_URL signs in as the owner of the ledger's tables: the program could rewrite what was posted. " +
  "Migrate with DATABASE_OWNER_URL and run with a role of its own (docs/deploy).";

/** At a server's start: says in the log that its role could rewrite the ledger, where that is so. */
export function warnOfOneRole(): void {
  void hasSeparateRole(getDb()).then(
    (apart) => {
      if (!apart) log("warn", ONE_ROLE);
    },
    // /api/ready reports a database that cannot be reached.
    () => undefined,
  );
}
