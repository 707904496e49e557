import { beforeAll, expect, test, vi } from "vitest";
import { getDb } from "@/lib/db/client";
import { env } from "@/lib/env";
import { addJob } from "@/lib/jobs/add-job";
import { sealMovements } from "@/lib/jobs/daily-sums";
import { runDue } from "@/lib/jobs/run-due";
import { jobContext } from "@/lib/jobs/task-registry";
import { runWorker } from "@/lib/jobs/worker";
import { TASKS } from "@/lib/tasks";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { type MerchantFixture, makeAdmin, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { postRow } from "@/lib/testing/post-rows";
import { verifyAndKeep } from "./run-check";

const GET = handlerOf("GET", "ledger/verify");
const POST = handlerOf("POST", "ledger/verify");

const db = await testDb();
let shop: MerchantFixture;
let token: string;
let movement: string;

beforeAll(async () => {
  shop = await makeMerchant(db);
  const customer = (await makeCustomer(db, shop)).id;
  movement = await postRow(db, shop, { type: "TOP_UP", customer, points: 10, sale_ref: "A-1" });
  await postRow(db, shop, { type: "REDEEM", customer, points: 4 });
  await waitForOpenTransactions(db);
  await sealMovements(db);
  token = await tokenOf(db, shop.owner);
});

const work = () =>
  runDue({ db, transport: undefined as never }, { check_ledger: TASKS.check_ledger as never });

test("an owner starts a check; a second start meets the first; the verdict follows", async () => {
  expect((await call(GET, { token })).data).toBeNull();
  const starts = await Promise.all([1, 2, 3].map(() => call(POST, { method: "POST", token })));
  const [first] = starts.map(({ data }) => data as { _id: string });
  expect(starts.map(({ data }) => data)).toEqual(
    starts.map(() => expect.objectContaining({ _id: first?._id })),
  );
  expect(first).toMatchObject({ eState: "running", bOk: null });
  await work();
  const { data } = await call(GET, { token });
  const seal = await db.seal.findFirst({ where: { merchantId: shop.merchant.id } });
  expect(data).toMatchObject({
    _id: first?._id,
    eState: "done",
    bOk: true,
    iMovements: 2,
    iTotal: 2,
    dSealedTo: seal?.sealedAt.toISOString(),
    sHead: Buffer.from(seal?.head ?? []).toString("hex"),
  });
  expect(data).not.toHaveProperty("oFirstWrong");
});

test("what is wrong is named; administrators name the merchant; nobody else's ledger is there", async () => {
  await db.$transaction([
    db.$executeRaw`set local session_replication_role = replica`,
    db.$executeRaw`update movements set sale_ref = 'A-2' where id = ${movement}::uuid`,
  ]);
  const admin = await tokenOf(db, await makeAdmin(db));
  const query = `?iMerchantId=${shop.merchant.id}`;
  await call(POST, { method: "POST", token: admin, query });
  await work();
  const { data } = await call(GET, { token: admin, query });
  expect(data).toMatchObject({ bOk: false, oFirstWrong: { eWhat: "chain", iMovementId: movement } });
  const nobody = `?iMerchantId=${movement}`;
  expect((await call(POST, { method: "POST", token: admin, query: nobody })).code).toBe("merchant_not_found");
  expect((await call(GET, { token: admin, query: nobody })).code).toBe("merchant_not_found");
  expect((await call(POST, { method: "POST", token: admin })).code).toBe("validation");
  const other = await tokenOf(db, (await makeMerchant(db)).owner);
  expect((await call(GET, { token: other, query })).code).toBe("merchant_not_found");
});

test("a run whose server died is given up for the next", async () => {
  const { id } = await db.ledgerCheck.create({
    data: { merchantId: shop.merchant.id, aliveAt: new Date(Date.now() - 180_000) },
  });
  const { data } = await call(POST, { method: "POST", token });
  expect((data as { _id: string })._id).not.toBe(id);
  expect(await db.ledgerCheck.findUnique({ where: { id } })).toMatchObject({ state: "done", ok: null });
});

test("a run that was cut off is shown as ended without a verdict; one that waits for a worker runs on", async () => {
  const fresh = await makeMerchant(db);
  const merchantId = fresh.merchant.id;
  const mine = { token: await tokenOf(db, fresh.owner) };
  const start = () => call(POST, { method: "POST", ...mine });
  const shown = async () => (await call(GET, mine)).data;
  const { data } = await start();
  const { _id } = data as { _id: string };
  await db.$executeRaw`
    update ledger_checks set started_at = started_at - interval '5 minutes', alive_at = alive_at - interval '5 minutes'
    where id = ${_id}::uuid`;
  expect(await shown()).toMatchObject({ _id, eState: "running" });
  expect((await start()).data).toMatchObject({ _id, eState: "running" });

  const silentSince = new Date(Date.now() - 180_000);
  await db.ledgerCheck.update({ where: { id: _id }, data: { aliveAt: silentSince } });
  expect(await shown()).toMatchObject({
    _id,
    eState: "done",
    bOk: null,
    dFinishedAt: silentSince.toISOString(),
  });
  const next = (await start()).data as { _id: string };
  expect(next).toMatchObject({ _id: expect.not.stringMatching(_id), eState: "running" });
  await work();
  expect(await shown()).toMatchObject({ _id: next._id, eState: "done", bOk: true });
  expect(await db.ledgerCheck.count({ where: { merchantId } })).toBe(2);
});

test("checks of many ledgers and the nightly sums run one after another, and leave the worker to other jobs", async () => {
  for (let n = 0; n < 4; n++) {
    const other = await tokenOf(db, (await makeMerchant(db)).owner);
    await call(POST, { method: "POST", token: other });
  }
  await addJob(db, "mend_sums", {});
  const held: (() => void)[] = [];
  const hold = () => new Promise<void>((done) => held.push(done));
  let probed = 0;
  const probe = async () => {
    probed += 1;
  };
  const tasks = { check_ledger: hold, mend_sums: hold, probe };
  const worker = runWorker({ connectionString: env().DATABASE_URL, context: jobContext(), tasks });
  const patience = { timeout: 60_000, interval: 20 };
  try {
    await vi.waitFor(() => expect(held).not.toEqual([]), patience);
    await addJob(db, "probe", {});
    await vi.waitFor(() => expect(probed).toBe(1), patience);
    for (let n = 1; n <= 5; n++) {
      await vi.waitFor(() => expect(held).toHaveLength(n), patience);
      held[n - 1]?.();
    }
  } finally {
    for (const end of held) end();
    await worker.stop();
  }
});

test("a check on the command line keeps its verdict where the page reads it, and none beside one that runs", async () => {
  const fresh = await makeMerchant(db);
  await postRow(db, fresh, { type: "TOP_UP", customer: (await makeCustomer(db, fresh)).id, points: 5 });
  const mine = { token: await tokenOf(db, fresh.owner) };
  const merchantId = fresh.merchant.id;
  // As the application's role, which the command connects as.
  expect(await verifyAndKeep(getDb(), merchantId)).toMatchObject({ movements: 1, firstWrong: null });
  expect((await call(GET, mine)).data).toMatchObject({ eState: "done", bOk: true, iMovements: 1 });
  await call(POST, { method: "POST", ...mine });
  expect(await verifyAndKeep(getDb(), merchantId)).toMatchObject({ firstWrong: null });
  expect((await call(GET, mine)).data).toMatchObject({ eState: "running" });
  expect(await db.ledgerCheck.count({ where: { merchantId } })).toBe(2);
});
