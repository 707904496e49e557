import { randomUUID } from "node:crypto";
import { openSession } from "@/lib/accounts/session";
import type { Db } from "@/lib/db/client";
import { entryKey, entryMac } from "@/lib/secrets/secrets";
import { handlerOf } from "@/lib/testing/handlers";
import { call, tokenOf } from "./calls";
import { makeCustomer, makeMerchant, makeWorker } from "./factories";
import { makeTill, proofOf, signEntry, type TillFixture } from "./tills";

const syncCall = handlerOf("POST", "tills/sync");

/** So many minutes before now; negative ones are to come. */
export const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** A merchant with a till whose worker keeps entries while there is no connection. */
export async function offlineTill(db: Db, overrides: Parameters<typeof makeMerchant>[1] = {}) {
  const shop = await makeMerchant(db, overrides);
  const worker = await makeWorker(db, shop);
  const at = await makeTill(db, shop);
  const customer = await makeCustomer(db, shop);
  const token = await tokenOf(db, worker);
  let n = 0;
  /** An entry as the till keeps it, signed. */
  const entry = async (given: Record<string, unknown> = {}, key = at.key) => {
    n += 1;
    const claimed = {
      n,
      sKey: randomUUID(),
      iWorkerId: worker.id,
      customerId: customer.id,
      iBranchId: shop.branch.id,
      sPoints: 10,
      eTender: "cash",
      dOccurredAt: minutesAgo(30).toISOString(),
      ...given,
    };
    return { ...claimed, sSig: await signEntry(key, claimed) };
  };
  return { shop, worker, at, customer, token, entry };
}

type Sent = Awaited<ReturnType<Awaited<ReturnType<typeof offlineTill>>["entry"]>> & { sMac?: string };

/** The entry as a browser with the key of this session keeps it. */
export const keptBy = ({ id }: { id: string }, entry: Sent): Sent => ({
  ...entry,
  sMac: entryMac(entryKey(id), entry.sSig),
});

/** A worker at the till since so many minutes, by PIN. */
export const signedInByPin = (db: Db, { till }: TillFixture, userId: string, minutes = 60) =>
  openSession(db, {
    userId,
    userAgent: null,
    address: "127.0.0.1",
    now: minutesAgo(minutes),
    tillId: till.id,
  });

/** Sends entries with the till's proof. */
export async function sync({ at, token }: { at: TillFixture; token: string }, entries: Sent[]) {
  const sent = { method: "POST", token, body: { entries } };
  return call(syncCall, { ...sent, headers: await proofOf(at.key, sent) });
}

/** What became of each entry, with its code where it was not posted. */
export const outcomes = (answer: Awaited<ReturnType<typeof sync>>) => {
  const { results } = answer.data as {
    results: { n: number; eOutcome: string; code?: string; movement?: object }[];
  };
  return results.map(({ eOutcome, code }) => (code ? `${eOutcome} ${code}` : eOutcome));
};
