import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { addCardDevice } from "@/lib/cards/card-holder";
import { eraseCustomer } from "@/lib/cards/erase-card";
import { issueCode } from "@/lib/codes/codes";
import { editCustomer } from "@/lib/customers/edit-customer";
import { env } from "@/lib/env";
import { runDue } from "@/lib/jobs/run-due";
import { jobContext } from "@/lib/jobs/task-registry";
import { runWorker } from "@/lib/jobs/worker";
import { updateBusiness } from "@/lib/merchants/business";
import { decideProfile } from "@/lib/merchants/decide-merchant";
import { editConfig } from "@/lib/points-config/edit-config";
import { TASKS } from "@/lib/tasks";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, publicContext } from "@/lib/testing/factories";
import { callPass, makePassCard, readPassJson, unpackPass } from "@/lib/testing/passes";
import { applyPendingNow } from "@/lib/testing/pending";
import { startWalletServers } from "@/lib/testing/wallet-servers";
import { withSecrets } from "@/lib/testing/with-secrets";
import { touchPassesOfCustomers } from "./push";
import { registerDevice } from "./web-service";

const wallets = await startWalletServers();
const db = await testDb();
const { handlerOf } = await import("@/lib/testing/handlers");
const download = handlerOf("GET", "customer/{id}/apple-wallet-pass");
const register = handlerOf("POST", "wallet/v1/devices/{device}/registrations/{passType}/{serial}");
const unregister = handlerOf("DELETE", "wallet/v1/devices/{device}/registrations/{passType}/{serial}");
const changed = handlerOf("GET", "wallet/v1/devices/{device}/registrations/{passType}");
const latest = handlerOf("GET", "wallet/v1/passes/{passType}/{serial}");

async function registered() {
  const card = await makePassCard(db);
  const pass = readPassJson(await unpackPass(await callPass(download, { id: card.customer.id })));
  const keys = { device: randomUUID(), passType: pass.passTypeIdentifier, serial: pass.serialNumber };
  const authorization = `ApplePass ${pass.authenticationToken}`;
  const pushToken = randomUUID().replaceAll("-", "");
  const post = (token: string) =>
    callPass(register, keys, {
      method: "POST",
      headers: { authorization: token, "content-type": "application/json" },
      body: JSON.stringify({ pushToken }),
    });
  expect((await post("ApplePass not-the-token-of-this-pass")).status).toBe(401);
  expect((await post(authorization)).status).toBe(201);
  expect((await post(authorization)).status).toBe(200);
  return { ...card, keys, authorization, pushToken };
}
const pushesTo = (token: string) => wallets.pushes.filter(({ path }) => path === `/3/device/${token}`);
const makeOld = () =>
  db.$executeRaw`update passes set changed_at = date_trunc('milliseconds', now()) - interval '1 hour'`;
const work = () => runDue(undefined, TASKS);

test("a top-up sends a push, lists the pass as changed, and the pass has the new balance", async () => {
  const { add, keys, authorization, pushToken } = await registered();
  await makeOld();
  const before = await (await callPass(changed, keys)).json();
  const tag = `?passesUpdatedSince=${before.lastUpdated}`;
  expect((await callPass(changed, keys, {}, tag)).status).toBe(204);
  await add(350);
  await work();
  expect(pushesTo(pushToken)).toMatchObject([{ topic: keys.passType, body: "{}" }]);
  const after = await (await callPass(changed, keys, {}, tag)).json();
  expect(after.serialNumbers).toEqual([keys.serial]);
  const response = await callPass(latest, keys, { headers: { authorization } });
  const modified = response.headers.get("last-modified") ?? "";
  expect(readPassJson(await unpackPass(response)).storeCard.headerFields[0]?.value).toBe(350);
  const again = () => callPass(latest, keys, { headers: { authorization, "if-modified-since": modified } });
  expect((await again()).status).toBe(304);
  await add(1);
  await work();
  expect((await again()).status).toBe(200);
});

test("a phone with two cards does not miss the change of a transaction that began early and ends late", async () => {
  const [early, other] = [await registered(), await registered()];
  const { keys, authorization, pushToken } = early;
  const registerOther = withSecrets(publicContext(db))(registerDevice, {
    ...other.keys,
    device: keys.device,
    authorization: other.authorization,
    pushToken,
  });
  expect(await registerOther).toEqual({ created: true });
  await makeOld();
  const ask = (tag: string) => callPass(changed, keys, {}, `?passesUpdatedSince=${tag}`);
  const before = await (await callPass(changed, keys)).json();
  const tag = await db.$transaction(async (tx) => {
    await tx.$queryRaw`select now()`;
    await touchPassesOfCustomers(db, [other.customer.id]);
    const seen = await (await ask(before.lastUpdated)).json();
    expect(seen.serialNumbers).toEqual([other.keys.serial]);
    await touchPassesOfCustomers(tx, [early.customer.id]);
    return seen.lastUpdated;
  });
  expect((await (await ask(tag)).json()).serialNumbers).toContain(keys.serial);
  expect((await callPass(latest, keys, { headers: { authorization } })).status).toBe(200);
});

test.each(["9007199254740991", "-62135596800001", "-9000000000000000", "none"])(
  "an unknown tag (%s) lists every pass of the device",
  async (tag) => {
    const { keys } = await registered();
    const listed = await (await callPass(changed, keys, {}, `?passesUpdatedSince=${tag}`)).json();
    expect(listed).toMatchObject({ serialNumbers: [keys.serial] });
  },
);

test("only the latest thirty devices of a pass get pushes", async () => {
  const { add, keys, authorization, pushToken } = await registered();
  const callWithSecrets = withSecrets(publicContext(db));
  const tokens = Array.from({ length: 30 }, () => randomUUID().replaceAll("-", ""));
  for (const token of tokens)
    await callWithSecrets(registerDevice, {
      ...keys,
      device: randomUUID(),
      authorization,
      pushToken: token,
    });
  await add(5);
  await work();
  expect(tokens.flatMap(pushesTo)).toHaveLength(30);
  expect(pushesTo(pushToken)).toEqual([]);
});

/** Runs the jobs that wait for a retry. */
const retryJobs = async () => {
  await db.$executeRaw`
    select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at := now())`;
  await work();
};

test.each([410, { status: 400, reason: "BadDeviceToken" }])(
  "a device that is gone is removed; a failed push is retried: %j",
  async (gone) => {
    const { add, keys, pushToken } = await registered();
    wallets.appleAnswers = [500];
    await add(10);
    await work();
    expect(pushesTo(pushToken)).toHaveLength(1);
    const [job] = await db.$queryRaw<{ attempts: number; waiting: boolean }[]>`
    select attempts, run_at > now() as waiting from graphile_worker.jobs where task_identifier = 'push_pass'`;
    expect(job).toEqual({ attempts: 1, waiting: true });
    wallets.appleAnswers = [gone];
    await retryJobs();
    expect(pushesTo(pushToken)).toHaveLength(2);
    expect(await db.passRegistration.count({ where: { deviceId: keys.device } })).toBe(0);
  },
);

test("the worker pushes a top-up, also after it was idle", async () => {
  const { add, pushToken } = await registered();
  const pushed = (times: number) =>
    vi.waitFor(() => expect(pushesTo(pushToken)).toHaveLength(times), { timeout: 60_000, interval: 20 });
  const connectionString = env().DATABASE_URL;
  const worker = runWorker({ connectionString, context: jobContext(), tasks: TASKS });
  try {
    await add(10);
    await pushed(1);
    await add(10);
    await pushed(2);
  } finally {
    await worker.stop();
  }
});

test("a refusal not caused by the device removes no device", async () => {
  const { add, keys, pushToken } = await registered();
  wallets.appleAnswers = [{ status: 400, reason: "TopicDisallowed" }];
  await add(10);
  await work();
  await retryJobs();
  expect(pushesTo(pushToken)).toHaveLength(2);
  expect(await db.passRegistration.count({ where: { deviceId: keys.device } })).toBe(1);
});

test("pushes share one connection", async () => {
  const { add } = await registered();
  await add(1);
  await work();
  const connections = wallets.appleConnections;
  await add(2);
  await work();
  expect(wallets.appleConnections).toBe(connections);
});

test("a corrected name updates the pass", async () => {
  const { shop, customer, keys, authorization, pushToken } = await registered();
  const owner = contextOf(db, shop.owner);
  await editCustomer(owner, { customerId: customer.id, fullName: "ليلى الحداد" });
  await editCustomer(owner, { customerId: customer.id, phone: "+97455123456" });
  await work();
  expect(pushesTo(pushToken)).toHaveLength(1);
  const pass = readPassJson(await unpackPass(await callPass(latest, keys, { headers: { authorization } })));
  expect(JSON.stringify(pass)).toContain("ليلى الحداد");
});

test("a new rate or name updates every pass of the merchant, and no other", async () => {
  const { shop, keys, authorization, pushToken } = await registered();
  const other = await registered();
  const owner = contextOf(db, shop.owner);
  const admin = contextOf(db, await makeAdmin(db));
  const rules = { minTopUp: 1, maxTopUp: 5000, maxBalance: 20000, undoMinutes: 15, workerDailyCap: null };
  const merchantId = shop.merchant.id;
  await editConfig(admin, { ...rules, merchantId, dirhamsPerPoint: 125 });
  await work();
  expect(pushesTo(pushToken)).toHaveLength(1);
  const { pending } = await updateBusiness(owner, { businessName: "Karak Palace" });
  await decideProfile(admin, { id: merchantId, changeId: pending?.id ?? "", status: "approved" });
  await updateBusiness(owner, { phone: "+97444556677" });
  await work();
  expect(pushesTo(pushToken)).toHaveLength(2);
  const pass = readPassJson(await unpackPass(await callPass(latest, keys, { headers: { authorization } })));
  expect(JSON.stringify(pass)).toContain("Karak Palace");
  expect(pushesTo(other.pushToken)).toHaveLength(0);
  await editConfig(admin, { ...rules, dirhamsPerPoint: 110 });
  await applyPendingNow(db, null);
  await work();
  expect(pushesTo(other.pushToken)).toHaveLength(1);
});

test("deleting a card voids its pass and pushes to its devices", async () => {
  const { customer, keys, authorization, pushToken } = await registered();
  const callWithSecrets = withSecrets(publicContext(db));
  const before = await (await callPass(changed, keys)).json();
  const holder = await addCardDevice(db, customer.id, new Date());
  const target = { purpose: "erase" as const, email: customer.email ?? "", customerId: customer.id };
  const code = await db.$transaction((tx) => issueCode(tx, target, "127.0.0.1", new Date()));
  await callWithSecrets(eraseCustomer, { customerId: customer.id, holder, code });
  const row = await db.pass.findUniqueOrThrow({ where: { customerId: customer.id } });
  expect(row.voidedAt).toBeInstanceOf(Date);
  const tag = `?passesUpdatedSince=${before.lastUpdated}`;
  expect((await (await callPass(changed, keys, {}, tag)).json()).serialNumbers).toEqual([keys.serial]);
  const pass = readPassJson(await unpackPass(await callPass(latest, keys, { headers: { authorization } })));
  expect(pass).toMatchObject({ voided: true });
  expect(JSON.stringify(pass)).not.toContain(customer.fullName);
  await work();
  expect(pushesTo(pushToken)).toHaveLength(1);
});

test("a device that removed the pass gets no more pushes", async () => {
  const { add, keys, authorization, pushToken } = await registered();
  expect((await callPass(unregister, keys, { method: "DELETE", headers: { authorization } })).status).toBe(
    200,
  );
  await add(10);
  await work();
  expect(pushesTo(pushToken)).toHaveLength(0);
});
