import { createHash, timingSafeEqual } from "node:crypto";
import type { PublicContext } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import { mailTransport } from "@/lib/email/transports";
import { env } from "@/lib/env";
import { runCron } from "@/lib/jobs/run-due";
import { TASKS } from ".";

const digest = (value: string) => createHash("sha256").update(value).digest();

/**
 * One turn of the background work, for machines without a worker: the sweep, the daily sums, every due job.
 * Throws unauthenticated unless the header is `Bearer` and CRON_SECRET.
 */
export async function cronTurn(
  ctx: PublicContext,
  { authorization }: { authorization: string | null },
): Promise<{ done: true }> {
  const secret = env().CRON_SECRET;
  const expected = digest(`Bearer ${secret ?? ""}`);
  // Digests are of one length, so the comparison takes the same time for every guess.
  if (!secret || !timingSafeEqual(digest(authorization ?? ""), expected)) {
    throw new DomainError("unauthenticated");
  }
  await runCron({ db: ctx.db, transport: mailTransport() }, TASKS);
  return { done: true };
}
cronTurn.permission = "public" as const;
