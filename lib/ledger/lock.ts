import type { Tx } from "@/lib/db/client";

/** Keeps every posting out until the transaction ends: for a change that what is outstanding decides on. */
export async function lockPostings(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(posting_lock())`;
}
