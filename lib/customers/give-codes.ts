import type { Db } from "@/lib/db/client";
import { sqlState } from "@/lib/db/faults";
import { rowCount } from "@/lib/db/query";
import { addJobOf } from "@/lib/jobs/add-job";
import type { Task } from "@/lib/jobs/queue";
import { newCustomerCode } from "./model/customer-code";

const JOB = "give_customer_codes";
/** A statement holds its cards until it ends, and their postings wait: four milliseconds a card on a busy machine. */
const CARDS_PER_RUN = 20;
/** With a million cards of one merchant, every second run meets a code that is taken. */
const MOST_TRIES = 20;
const UNIQUE_VIOLATION = "23505";

async function giveSome(db: Db): Promise<number> {
  for (let nth = 1; ; nth++) {
    const codes = Array.from({ length: CARDS_PER_RUN }, newCustomerCode);
    try {
      return await db.$executeRaw`
        with bare as (
          select id, row_number() over () as n from (
            select id from customers where code is null limit ${rowCount(CARDS_PER_RUN)} for update skip locked
          ) c
        )
        update customers c set code = (${codes}::text[])[bare.n] from bare where c.id = bare.id`;
    } catch (error) {
      if (sqlState(error) !== UNIQUE_VIOLATION || nth === MOST_TRIES) throw error;
    }
  }
}

/** Gives cards without a code theirs, a few a statement. Idempotent. Locked cards get theirs in the next run. */
export const giveCustomerCodes: Task = async ({ db }) => {
  while ((await giveSome(db)) > 0);
};

/** Queues the job if there is a card without a code: of before, or made by a server of the version before. */
export async function queueCustomerCodes(db: Db): Promise<void> {
  const bare = await db.$queryRaw<unknown[]>`select 1 from customers where code is null limit 1`;
  if (bare.length === 0) return;
  await addJobOf(db, { actor: { type: "system", job: "sweep" } }, JOB, {}, { key: JOB });
}
