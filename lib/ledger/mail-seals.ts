import type { Db } from "@/lib/db/client";
import { type MerchantNames, merchantName } from "@/lib/domain/localized-names";
import { addDays, dayStart, qatarDay } from "@/lib/domain/time";
import { mailOwners } from "@/lib/email/queue";
import { env } from "@/lib/env";
import type { Task } from "@/lib/jobs/queue";
import { hexGroups } from "./model/ledger-check";

const MERCHANTS_A_TURN = 500;

type Ended = MerchantNames & {
  merchantId: string;
  n: number;
  sealed: bigint;
  total: bigint;
  head: Uint8Array;
};

/** The last seal of each merchant that sealed something on the day, and was not mailed for it. */
function endedOn(db: Db, day: string): Promise<Ended[]> {
  const [from, until] = [dayStart(day), dayStart(addDays(day, 1))];
  return db.$queryRaw<Ended[]>`
    select s.merchant_id::text as "merchantId", m.business_name as "businessName",
      m.business_name_ar as "businessNameAr", s.n, d.sealed, s.total, s.head
    from (
      select merchant_id, max(n) as n, sum(movements) as sealed from seals
      where sealed_at >= ${from} and sealed_at < ${until} group by 1
    ) d
    join seals s on s.merchant_id = d.merchant_id and s.n = d.n
    join merchants m on m.id = s.merchant_id
    where not exists (select from seal_mails k where k.merchant_id = d.merchant_id and k.day = ${day}::date)
    order by 1 limit ${MERCHANTS_A_TURN}`;
}

async function mail(db: Db, day: string, { merchantId, n, sealed, total, head, ...names }: Ended) {
  await db.$transaction(async (tx) => {
    const { count } = await tx.sealMail.createMany({
      data: [{ merchantId, day: new Date(day), n }],
      skipDuplicates: true,
    });
    if (count === 0) return;
    await mailOwners(tx, merchantId, "ledger_day", ({ name, locale }) => ({
      name,
      merchant: merchantName(names, locale),
      at: dayStart(day),
      sealed: Number(sealed),
      total: Number(total),
      head: hexGroups(Buffer.from(head).toString("hex")),
      url: `${env().APP_URL}/merchant/ledger`,
    }));
  });
}

/** Mails owners the chain's head at the end of a day (Asia/Qatar) that sealed something, once. Answers how many merchants. */
export async function mailSeals(db: Db, day: string): Promise<number> {
  let mailed = 0;
  for (;;) {
    const ended = await endedOn(db, day);
    for (const one of ended) await mail(db, day, one);
    mailed += ended.length;
    if (ended.length < MERCHANTS_A_TURN) return mailed;
  }
}

/** Runs each hour: mails the heads of yesterday, where they are not mailed yet. */
export const mailSealsOfYesterday: Task = async ({ db }) => {
  await mailSeals(db, addDays(qatarDay(new Date()), -1));
};
