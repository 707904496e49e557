import { getDb, hasSeparateRole } from "@/lib/db/client";
import { DomainError } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { log } from "@/lib/observe/log";
import { operation } from "@/lib/operations/operation";
import { type WaitingWork, waitingWork } from "./backlog";

/** The migrations and SQL texts of this build (next.config.ts). Without a build, nothing is required. */
const required = () => process.env.REQUIRED_SQL || '{"migrations":[],"texts":{}}';

/**
 * Answers if the database is reachable and takes writes, no migration failed, every migration and every SQL text of this
 * build was applied (a newer build may have added others), and what is posted now comes after what is sealed: in another
 * cluster only once it was migrated there. A long backlog leaves the server ready. Throws unavailable otherwise.
 */
export const readiness = operation({
  permission: "public",
  input: nothingSchema,
  errors: ["unavailable"],
  readOnly: true,
  run: async (ctx): Promise<{ ready: true; apart: boolean; backlog: WaitingWork | null }> => {
    try {
      const [row] = await ctx.db.$queryRaw<{ ready: boolean }[]>`
      select current_setting('transaction_read_only') = 'off' and not exists (
        select from _prisma_migrations where finished_at is null and rolled_back_at is null
      ) and not exists (
        select from jsonb_array_elements_text(${required()}::jsonb -> 'migrations') as m (name)
        where not exists (select from _prisma_migrations d where d.migration_name = m.name
          and d.finished_at is not null and d.rolled_back_at is null)
      ) and not exists (
        select from jsonb_each_text(${required()}::jsonb -> 'texts') as t (name, hash)
        where not exists (select from sql_texts d where d.name = t.name and d.hash = t.hash)
      ) and not exists (
        select from ledger_progress
        where to_tx >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint + posting_tx_base()
      ) as ready`;
      if (!row?.ready) throw new DomainError("unavailable");
      return { ready: true, apart: await hasSeparateRole(ctx.db), backlog: await waitingWork() };
    } catch (cause) {
      throw cause instanceof DomainError ? cause : new DomainError("unavailable", {}, [], { cause });
    }
  },
});

export const health = operation({
  permission: "public",
  input: nothingSchema,
  readOnly: true,
  run: async (): Promise<{ alive: true }> => ({ alive: true }),
});

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
