import { randomUUID } from "node:crypto";
import { calculateJwkThumbprint } from "jose";
import { expect, test } from "vitest";
import { topUp } from "@/lib/ledger/move-points";
import { call } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeWorker } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { minutesAgo, offlineTill, outcomes, signedInByPin, sync } from "@/lib/testing/offline-till";
import { contextAt, makeTill, newTillKey, proofOf, type TillKey } from "@/lib/testing/tills";
import { syncTillSchema } from "./model/offline";
import { listEntries, resolveEntry } from "./offline-inbox";
import { pairTill } from "./pair-till";
import { syncTill } from "./sync-till";
import { retireTill, updateTill } from "./tills";

const syncCall = handlerOf("POST", "tills/sync");
const topUpCall = handlerOf("POST", "top-up-points");

const db = await testDb();
type Place = Awaited<ReturnType<typeof offlineTill>>;
const held = async (id: string) => (await db.customer.findUniqueOrThrow({ where: { id } })).balance;
const inboxOf = async (place: Place) =>
  (await listEntries(contextOf(db, place.shop.owner), { limit: 50, state: "waiting" })).results;

/** Pairs another browser with the till, by the owner's new code. Answers its key, or pairs that of `key`. */
async function pairAnew({ shop, at }: Place, key?: TillKey): Promise<TillKey> {
  const pairing = key ?? (await newTillKey());
  const owner = contextOf(db, shop.owner);
  const made = await updateTill(owner, { id: at.till.id, newCode: true });
  if (!("pairingCode" in made)) throw new Error("no code");
  const { kty, crv, x, y } = pairing.jwk;
  const stranger = { ...owner, actor: null, address: randomUUID() };
  await pairTill(stranger, { pairingCode: made.pairingCode, publicKey: { kty, crv, x, y } as never });
  return pairing;
}

const withKey = ({ at, token }: Place, key: TillKey) => ({ at: { ...at, key }, token });

test("what a browser kept before another took its place goes to the inbox, once, and posts nothing", async () => {
  const place = await offlineTill(db);
  const before = await place.entry();
  expect(outcomes(await sync(place, [before]))).toEqual(["posted"]);
  const kept = [await place.entry(), await place.entry()];
  const key = await pairAnew(place);
  const all = await Promise.all([1, 2, 3].map(() => sync(place, kept)));
  expect(new Set(all.flatMap(outcomes))).toEqual(new Set(["inbox till_replaced"]));
  // What was posted while the key was the till's is answered as it was.
  expect(outcomes(await sync(place, [before, kept[0] ?? before]))).toEqual([
    "replayed",
    "inbox till_replaced",
  ]);
  expect(await held(place.customer.id)).toBe(10);
  const inbox = await inboxOf(place);
  expect(inbox.map(({ n, code, sentBy }) => [n, code, sentBy.id])).toEqual([
    [3, "till_replaced", place.worker.id],
    [2, "till_replaced", place.worker.id],
  ]);
  // The browser that is the till now counts on by itself: neither takes a number from the other.
  const now = [await place.entry({ n: 2 }, key), await place.entry({ n: 3 }, key)];
  expect(outcomes(await sync(withKey(place, key), now))).toEqual(["posted", "posted"]);
  const owner = contextOf(db, place.shop.owner);
  await resolveEntry(owner, { id: inbox[0]?.id ?? "", action: "post", reason: "Paid" });
  expect(await held(place.customer.id)).toBe(40);
});

test("a replaced key does nothing but send, for 30 days, and never becomes a till's again", async () => {
  const place = await offlineTill(db);
  const customer = { customerId: place.customer.id, sPoints: 5, iBranchId: place.shop.branch.id };
  const posting = { method: "POST", token: place.token, body: customer };
  await pairAnew(place);
  const headers = await proofOf(place.at.key, posting);
  expect(await call(topUpCall, { ...posting, headers })).toMatchObject({
    status: 401,
    code: "invalid_dpop_proof",
  });
  await expect(pairAnew(place, place.at.key)).rejects.toMatchObject({ code: "till_paired" });
  // A PIN's session needs the till's own proof.
  const { token } = await signedInByPin(db, place.at, place.worker.id);
  expect(await sync({ ...place, token }, [await place.entry()])).toMatchObject({ status: 401 });
  // Changed, or made for a number that went to the inbox already: refused as ever.
  const entry = await place.entry();
  expect(outcomes(await sync(place, [entry]))).toEqual(["inbox till_replaced"]);
  const other = await place.entry({ n: entry.n });
  expect(outcomes(await sync(place, [other, { ...(await place.entry()), sPoints: 900 }]))).toEqual([
    "refused key_reused",
    "refused signature_invalid",
  ]);
  const later = { clock: () => minutesAgo(-31 * 24 * 60) };
  const signedBy = await calculateJwkThumbprint(place.at.key.jwk);
  const late = syncTillSchema.parse({ entries: [entry], signedBy });

  const proving = await makeTill(db, place.shop);
  await expect(syncTill(contextAt(db, place.worker, proving, later), late)).rejects.toMatchObject({
    code: "till_not_found",
  });
});

test("a browser that is another till now sends what it kept as the one before, also with a PIN session", async () => {
  const place = await offlineTill(db);
  const second = await makeTill(db, place.shop);
  const colleague = await makeWorker(db, place.shop);
  await signedInByPin(db, place.at, colleague.id);
  const kept = [await place.entry({ iWorkerId: colleague.id }), await place.entry()];
  const session = await signedInByPin(db, second, colleague.id);
  const sSignedBy = await calculateJwkThumbprint(place.at.key.jwk);
  const send = async (by: TillKey, body: object, token: string) => {
    const sent = { method: "POST", token, body };
    return call(syncCall, { ...sent, headers: await proofOf(by, sent) });
  };
  // A token of one till is nothing without that till's proof, whatever key signed the entries.
  expect(await send(place.at.key, { entries: kept }, session.token)).toMatchObject({ status: 401 });
  const answer = await send(second.key, { entries: kept, sSignedBy }, session.token);
  expect(outcomes(answer)).toEqual(["posted", "inbox worker_not_here"]);
  const rows = await db.movement.findMany({ where: { customerId: place.customer.id } });
  expect(rows.map(({ tillId, actorId }) => [tillId, actorId])).toEqual([[place.at.till.id, colleague.id]]);
  const stranger = await offlineTill(db);
  const foreign = { entries: [await stranger.entry()] };
  const by = await calculateJwkThumbprint(stranger.at.key.jwk);
  expect(await send(second.key, { ...foreign, sSignedBy: by }, session.token)).toMatchObject({
    status: 404,
    code: "till_not_found",
  });
});

test("a sync that is under way while another browser is paired posts before it or goes to the inbox", async () => {
  const place = await offlineTill(db);
  const entries = await Promise.all(Array.from({ length: 20 }, () => place.entry({ sPoints: 1 })));
  const sent = entries.map((entry) => sync(place, [entry]));
  await pairAnew(place);
  const found = (await Promise.all(sent)).flatMap(outcomes);
  expect(found.every((one) => one === "posted" || one === "inbox till_replaced")).toBe(true);
  expect(await held(place.customer.id)).toBe(found.filter((one) => one === "posted").length);
  expect(await inboxOf(place)).toHaveLength(found.filter((one) => one !== "posted").length);
});

test("what the counter had posted before the line dropped never waits for an owner who would post it twice", async () => {
  const place = await offlineTill(db);
  const input = {
    customerId: place.customer.id,
    points: 10,
    branchId: place.shop.branch.id,
    tender: "cash" as const,
  };
  const key = randomUUID();
  await topUp(contextAt(db, place.worker, place.at), { ...input, idempotencyKey: key });
  const [posted, other] = [await place.entry({ sKey: key }), await place.entry({ sPoints: 11 })];
  await retireTill(contextOf(db, place.shop.owner), { id: place.at.till.id });
  expect(outcomes(await sync(place, [posted, other]))).toEqual(["replayed", "inbox till_retired"]);
  expect(outcomes(await sync(place, [posted]))).toEqual(["replayed"]);
  expect((await inboxOf(place)).map(({ n }) => n)).toEqual([other.n]);
  expect(await held(place.customer.id)).toBe(10);
});
