import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { exactAddress, PEER_HEADER } from "@/lib/api/address";
import { countKeyRequest } from "@/lib/api/limits";
import { mailTransport } from "@/lib/email/transports";
import { suspendMerchant } from "@/lib/merchants/decide-merchant";
import { TASKS } from "@/lib/tasks";
import { tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeAdmin,
  makeBranch,
  makeCustomer,
  makeMerchant,
  uniqueEmail,
} from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { textOf } from "@/lib/testing/mails";
import { move } from "@/lib/testing/movements";
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey, updateApiKey } from "./api-keys";
import { flushKeyUse, isKeySecret, keyHash, keySecret } from "./find-key";
import type { ApiKeyWithSecret } from "./names";

const db = await testDb();
const shop = await makeMerchant(db);
const owner = contextOf(db, shop.owner);

type Sent = {
  key?: string;
  body?: unknown;
  params?: Record<string, string>;
  query?: string;
  headers?: Record<string, string>;
  address?: string;
};
type Answer = { status: number; headers: Headers; code?: string; data: Record<string, unknown>; body: never };

let addresses = 0;
/** Sends a request as a handler gets it; each from an address of its own unless it names one. */
async function send(call: string, { key, body, params = {}, query = "", headers = {}, address }: Sent = {}) {
  const [method = "", path = ""] = call.split(" ");
  const from = address ?? `10.7.${Math.floor(++addresses / 250)}.${addresses % 250}`;
  const request = new Request(`http://localhost:3000/api/${path}${query}`, {
    method,
    headers: {
      [PEER_HEADER]: from,
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await handlerOf(method, path)(request, { params });
  const parsed = (await response.json()) as Answer;
  return { ...parsed, body: parsed as never, status: response.status, headers: response.headers };
}

const newKey = (more: object = {}): Promise<ApiKeyWithSecret> =>
  createApiKey(owner, {
    name: "Web shop",
    scopes: ["topup", "redeem", "customers.find", "movements.read"],
    ...more,
  });

const topUp = (key: string, customerId: string, more: Sent = {}) =>
  send("POST top-up-points", {
    key,
    body: { customerId, sPoints: 10, iBranchId: shop.branch.id },
    headers: { "idempotency-key": randomUUID() },
    ...more,
  });

test("the secret has the format of §1, and its checksum tells a typing error", () => {
  const secret = keySecret("A".repeat(24));
  expect(secret).toMatch(/^wk_test_A{24}[0-9A-Za-z]{6}$/);
  expect(isKeySecret(secret)).toBe(true);
  expect(isKeySecret(secret.replace("AAAA", "AAAB"))).toBe(false);
  expect(isKeySecret(secret.replace("wk_test_", "wk_live_"))).toBe(false);
});

test("a key is told its name, scopes, merchant and branches, and every other call is forbidden", async () => {
  const { secret, id } = await newKey();
  const told = await send("GET profile", { key: secret });
  expect(told.data).toMatchObject({
    _id: id,
    eType: "apiKey",
    sName: "Web shop",
    aScopes: ["customers.find", "topup", "redeem", "movements.read"],
    iMerchantId: shop.merchant.id,
    iDirhamsPerPoint: 100,
    branches: [{ _id: shop.branch.id }],
  });
  for (const call of [
    "GET api-keys",
    "GET transactions/export",
    "GET customer-management",
    "POST customer-exist",
  ]) {
    expect(await send(call, { key: secret })).toMatchObject({ status: 403, code: "forbidden" });
  }
  const customer = await makeCustomer(db, shop);
  const lacking = { customerId: customer.publicId, sPoints: 5, iBranchId: shop.branch.id, sReason: "x" };
  expect(await send("POST bonus-points", { key: secret, body: lacking })).toMatchObject({
    status: 403,
    code: "forbidden",
  });
});

test("a posting by a key needs an Idempotency-Key, which may be quoted, and shows the public id", async () => {
  const { secret } = await newKey();
  const { publicId } = await makeCustomer(db, shop);
  const body = { customerId: publicId, sPoints: 10, iBranchId: shop.branch.id };
  expect(await topUp(secret, publicId, { headers: {} })).toMatchObject({
    status: 400,
    code: "validation",
    errors: [{ path: "Idempotency-Key" }],
  });
  const first = await topUp(secret, publicId, { headers: { "idempotency-key": '"sale-1"' } });
  expect(first).toMatchObject({ status: 200, data: { customer: { _id: publicId }, sBalance: 10 } });
  const again = await send("POST top-up-points", {
    key: secret,
    body,
    headers: { "idempotency-key": "sale-1" },
  });
  expect(again.data._id).toBe(first.data._id);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
});

test("every answer has the limits, and a list a link to its next page; refusals are problems on request", async () => {
  const { secret } = await newKey();
  const { publicId } = await makeCustomer(db, shop);
  await topUp(secret, publicId);
  await topUp(secret, publicId);
  const { status, headers, data } = await send("GET transactions", { key: secret, query: "?limit=1" });
  expect(status).toBe(200);
  expect(headers.get("ratelimit-policy")).toBe('"key";q=6000;w=60');
  expect(headers.get("ratelimit")).toMatch(/^"key";r=\d+;t=\d+$/);
  expect(headers.get("link")).toContain(`cursor=${data.nextCursor}>; rel="next"`);
  const refused = await send("GET api-keys", {
    key: secret,
    headers: { accept: "application/problem+json" },
  });
  expect(refused.headers.get("content-type")).toBe("application/problem+json");
  expect(refused.body).toMatchObject({
    status: 403,
    code: "forbidden",
    type: expect.stringContaining("#forbidden"),
    title: "forbidden",
    detail: expect.any(String),
  });
  const unknown = await send("GET profile", { key: keySecret("B".repeat(24)) });
  expect(unknown).toMatchObject({ status: 401, code: "unauthenticated" });
  expect(unknown.headers.get("ratelimit-policy")).toBeTruthy();
  expect(unknown.headers.get("x-request-id")).toBeTruthy();
});

test("6,000 requests a minute are the most of a key", async () => {
  const { secret, id } = await newKey();
  for (let nth = 0; nth < 6_000; nth++) await countKeyRequest(id);
  const refused = await send("GET profile", { key: secret });
  expect(refused).toMatchObject({ status: 429, code: "rate_limited" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused.headers.get("ratelimit")).toMatch(/^"key";r=0;t=\d+$/);
});

test("a wrong checksum asks the database nothing, and guesses with a right one are stopped by address", async () => {
  const address = "203.0.113.77";
  // The database would know it, if it were asked.
  const wrong = keySecret("C".repeat(24)).replace("CCC", "CCD");
  const known = await newKey();
  await db.apiKeySecret.create({ data: { apiKeyId: known.id, prefix: "x", hash: keyHash(wrong) } });
  expect(await send("GET profile", { key: wrong, address })).toMatchObject({ status: 401 });
  const statuses = new Map<number, number>();
  // Few enough for one minute, on a slow machine too.
  for (let nth = 0; nth < 1_000; nth++) {
    const key = keySecret(String(nth).padStart(24, "0"));
    const { status } = await send("GET profile", { key, address });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect(statuses.get(401)).toBe(299);
  expect(statuses.get(429)).toBe(701);
  // The shop at the same address goes on, where its key was good before.
  const { secret } = await newKey();
  expect((await send("GET profile", { key: secret })).status).toBe(200);
  expect((await send("GET profile", { key: secret, address })).status).toBe(200);
});

test("a key in the query is refused with a sentence, whatever the call", async () => {
  const { secret } = await newKey();
  for (const query of [`?key=${secret}`, `?search=${encodeURIComponent(secret)}`]) {
    expect(await send("GET transactions", { query })).toMatchObject({ status: 400, code: "key_in_query" });
    expect(await send("GET transactions", { key: secret, query })).toMatchObject({ code: "key_in_query" });
  }
});

test("only the listed addresses and ranges may use a key, IPv4 in IPv6 too", async () => {
  const { secret } = await newKey({ addresses: ["198.51.100.0/24", "2001:db8::7"] });
  const from = async (address: string) => (await send("GET profile", { key: secret, address })).status;
  expect(await from("198.51.100.9")).toBe(200);
  expect(await from("::ffff:198.51.100.9")).toBe(200);
  expect(await from("2001:db8::7")).toBe(200);
  expect(await from("2001:db8::8")).toBe(403);
  expect(await from("198.51.101.9")).toBe(403);
  expect(exactAddress(new Headers({ [PEER_HEADER]: "2001:db8::8" }))).toBe("2001:db8::8");
  // A good secret at a strange address may be stolen: its owner hears of it, once an hour.
  const mails = await db.email.findMany({
    where: { recipient: shop.owner.email, subject: { contains: "was refused" } },
    select: { text: true },
  });
  expect(mails.map(({ text }) => [text.includes("2001:db8::8"), text.includes(secret)])).toEqual([
    [true, false],
  ]);
  await expect(newKey({ addresses: ["10.0.0.0/99"] })).rejects.toMatchObject({ code: "validation" });
});

test("after a rotation both secrets are good for a day; two at once leave two", async () => {
  const made = await newKey();
  const both = await Promise.allSettled([
    rotateApiKey(owner, { id: made.id }),
    rotateApiKey(owner, { id: made.id }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const [rotated] = both.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(rotated).toMatchObject({ id: made.id, state: "rotating", olderEndsAt: expect.any(Date) });
  const good = async (key: string) => (await send("GET profile", { key })).status === 200;
  expect([await good(made.secret), await good(rotated?.secret ?? "")]).toEqual([true, true]);
  const valid = { apiKeyId: made.id, OR: [{ endsAt: null }, { endsAt: { gt: new Date() } }] };
  expect(await db.apiKeySecret.count({ where: valid })).toBe(2);
  await db.apiKeySecret.updateMany({
    where: { apiKeyId: made.id, endsAt: { not: null } },
    data: { endsAt: new Date(0) },
  });
  expect([await good(made.secret), await good(rotated?.secret ?? "")]).toEqual([false, true]);
  expect(await rotateApiKey(owner, { id: made.id })).toMatchObject({ state: "rotating" });
});

test("a repeat of a posting across a rotation gets the first result", async () => {
  const made = await newKey();
  const { publicId } = await makeCustomer(db, shop);
  const headers = { "idempotency-key": "across" };
  const first = await topUp(made.secret, publicId, { headers });
  const { secret } = await rotateApiKey(owner, { id: made.id });
  const again = await topUp(secret, publicId, { headers });
  expect(again.data._id).toBe(first.data._id);
});

test("a revoked key is refused from the next request on; a change counts from it too", async () => {
  const { secret, id } = await newKey();
  expect((await send("GET transactions", { key: secret })).status).toBe(200);
  await updateApiKey(owner, { id, scopes: ["topup"] });
  expect(await send("GET transactions", { key: secret })).toMatchObject({ status: 403, code: "forbidden" });
  expect(await revokeApiKey(owner, { id })).toMatchObject({ state: "revoked" });
  expect(await send("GET profile", { key: secret })).toMatchObject({ status: 401, code: "unauthenticated" });
  await expect(updateApiKey(owner, { id, name: "New" })).rejects.toMatchObject({ code: "key_revoked" });
  await expect(rotateApiKey(owner, { id })).rejects.toMatchObject({ code: "key_revoked" });
});

test("a key that is revoked while its request runs posts once or not at all", async () => {
  const { secret, id } = await newKey();
  const { id: customerId, publicId } = await makeCustomer(db, shop);
  const [answer] = await Promise.all([topUp(secret, publicId), revokeApiKey(owner, { id })]);
  expect([200, 401]).toContain(answer.status);
  expect(await db.movement.count({ where: { customerId } })).toBe(answer.status === 200 ? 1 : 0);
  expect((await topUp(secret, publicId)).status).toBe(401);
});

test("a key of another merchant finds nothing, and a key of one branch posts there only", async () => {
  const neighbour = await makeMerchant(db);
  const { publicId } = await makeCustomer(db, neighbour);
  const movement = await move(db, neighbour, await makeCustomer(db, neighbour), { points: 5 });
  const { secret } = await newKey({
    scopes: ["topup", "customers.find", "customers.read", "movements.read", "refund"],
  });
  expect(await topUp(secret, publicId)).toMatchObject({ status: 404 });
  expect(
    await send("POST customers/find", { key: secret, body: { sCode: `http://localhost/topup/${publicId}` } }),
  ).toMatchObject({ status: 404 });
  expect(
    await send("GET customer-management/view/{id}", { key: secret, params: { id: publicId } }),
  ).toMatchObject({ status: 404 });
  expect(
    await send("GET transactions/{id}/receipt", { key: secret, params: { id: movement.id } }),
  ).toMatchObject({ status: 404 });
  const elsewhere = await makeBranch(db, shop);
  const bound = await newKey({ branchId: elsewhere.id });
  const card = await makeCustomer(db, shop);
  expect(await topUp(bound.secret, card.publicId)).toMatchObject({ status: 422, code: "branch_mismatch" });
  await expect(newKey({ branchId: neighbour.branch.id })).rejects.toMatchObject({ code: "branch_not_found" });
});

test("a key with movements.read reads one movement of its merchant as the log has it, and no key of another", async () => {
  const movement = await move(db, shop, await makeCustomer(db, shop), { points: 5 });
  const { secret } = await newKey({ scopes: ["movements.read"] });
  const params = { id: movement.id };
  const log = await send("GET transactions", { key: secret, query: "?limit=100" });
  const [logged] = (log.data.results as { _id: string }[]).filter(({ _id }) => _id === movement.id);
  expect(await send("GET transactions/{id}", { key: secret, params })).toMatchObject({
    status: 200,
    data: logged,
  });
  const without = await newKey({ scopes: ["topup"] });
  expect(await send("GET transactions/{id}", { key: without.secret, params })).toMatchObject({ status: 403 });
  const neighbour = contextOf(db, (await makeMerchant(db)).owner);
  const stranger = await createApiKey(neighbour, { name: "Shop", scopes: ["movements.read"] });
  expect(await send("GET transactions/{id}", { key: stranger.secret, params })).toMatchObject({
    status: 404,
    code: "movement_not_found",
  });
});

test("a suspended merchant's key reads nothing either", async () => {
  const other = await makeMerchant(db);
  const { secret } = await createApiKey(contextOf(db, other.owner), {
    name: "Till",
    scopes: ["movements.read"],
  });
  const admin = contextOf(db, await makeAdmin(db));
  await suspendMerchant(admin, { id: other.merchant.id, suspended: true, reason: "Unpaid" });
  for (const call of ["GET transactions", "GET profile"]) {
    expect(await send(call, { key: secret })).toMatchObject({ status: 403, code: "merchant_suspended" });
  }
});

test("a card is found by its QR code, or by the whole phone or e-mail, with masked contacts", async () => {
  const { secret } = await newKey();
  const email = uniqueEmail();
  const customer = await makeCustomer(db, shop, { email, phone: "+97455128877" });
  await move(db, shop, customer, { points: 40 });
  const find = (body: object) => send("POST customers/find", { key: secret, body });
  const found = await find({ sEmail: email.toUpperCase() });
  expect(found.data).toEqual({
    _id: customer.publicId,
    sUUID: customer.publicId,
    sFullName: customer.fullName,
    sEmail: expect.stringContaining("•••@"),
    sPhoneNumber: "+974 •••• 8877",
    sBalance: 40,
    iHeld: 0,
    iAvailable: 40,
    eStatus: "active",
  });
  expect((await find({ sPhoneNumber: "5512 8877" })).data).toEqual(found.data);
  const live = `https://wallet.example/topup/${customer.publicId}?code=1.abc`;
  expect((await find({ sCode: live })).data).toEqual(found.data);
  expect(await find({ sEmail: email.slice(1) })).toMatchObject({ status: 404 });
  for (const sCode of [customer.code, customer.id, `https://wallet.example/topup/${customer.id}`]) {
    expect(await find({ sCode })).toMatchObject({ status: 404, code: "customer_not_found" });
  }
  for (const body of [{}, { sEmail: email, sPhoneNumber: "5512 8877" }]) {
    expect(await find(body)).toMatchObject({ status: 400, errors: [{ path: "sCode" }] });
  }
  const openings = { action: "opening.customer", entityId: customer.id };
  expect(await db.audit.count({ where: openings })).toBe(1);
});

test("60 lookups by phone or e-mail in a minute are the most of a key; scanned codes are not counted", async () => {
  const { secret } = await newKey();
  const customer = await makeCustomer(db, shop);
  const find = (body: object) => send("POST customers/find", { key: secret, body });
  for (let nth = 0; nth < 60; nth++) {
    expect((await find({ sEmail: `guess${nth}@customer.test` })).status).toBe(404);
  }
  expect(await find({ sEmail: customer.email })).toMatchObject({ status: 429, code: "rate_limited" });
  expect((await find({ sCode: `https://wallet.example/topup/${customer.publicId}` })).status).toBe(200);
});

test("600 lookups by phone or e-mail in a minute are the most of a shop, whoever asks", async () => {
  const busy = await makeMerchant(db);
  const keyOf = async (nth: number) =>
    (await createApiKey(contextOf(db, busy.owner), { name: `Key ${nth}`, scopes: ["customers.find"] }))
      .secret;
  const find = (key: string) => send("POST customers/find", { key, body: { sEmail: uniqueEmail() } });
  for (let nth = 0; nth < 10; nth++) {
    const key = await keyOf(nth);
    const answers = await Promise.all(Array.from({ length: 60 }, () => find(key)));
    expect(answers.every(({ status }) => status === 404)).toBe(true);
  }
  expect(await find(await keyOf(10))).toMatchObject({ status: 429, code: "rate_limited" });
});

test("a key that opens more than 60 customers in an hour without a movement is reported to the owner", async () => {
  const watched = await makeMerchant(db);
  const ctx = contextOf(db, watched.owner);
  const { id, secret } = await createApiKey(ctx, { name: "Till of the bakery", scopes: ["customers.find"] });
  for (let nth = 0; nth < 61; nth++) {
    const { publicId } = await makeCustomer(db, watched);
    expect(
      (
        await send("POST customers/find", {
          key: secret,
          body: { sCode: `https://wallet.example/topup/${publicId}` },
        })
      ).status,
    ).toBe(200);
  }
  const run = () => TASKS.many_openings?.({ db, transport: mailTransport() }, {});
  await run();
  await run();
  expect(
    await db.email.findMany({
      where: { recipient: watched.owner.email, subject: { contains: "many customers" } },
    }),
  ).toMatchObject([{ subject: "Till of the bakery viewed many customers" }]);
  expect(await db.notice.findMany({ where: { merchantId: watched.merchant.id } })).toMatchObject([
    { kind: "many_openings", apiKeyId: id, amount: 61n },
  ]);
});

test("the code for a redemption names the key, in the e-mail and the notice", async () => {
  const { secret, id } = await newKey();
  const customer = await makeCustomer(db, shop);
  await move(db, shop, customer, { points: 40 });
  const body = { customerId: customer.publicId, sPoints: 20 };
  expect((await send("POST redeem-points/code", { key: secret, body })).status).toBe(200);
  const mail = await db.email.findFirstOrThrow({ where: { recipient: customer.email ?? "" } });
  expect(await textOf(mail)).toContain("in Web shop");
  expect(
    await db.notice.count({ where: { customerId: customer.id, kind: "code_asked", apiKeyId: id } }),
  ).toBe(1);
});

test("the list shows prefix, state, creator and use; a change is written down and mailed to the owner", async () => {
  const other = await makeMerchant(db);
  const ctx = contextOf(db, other.owner);
  const made = await createApiKey(ctx, { name: "Kiosk", scopes: ["topup"], maxPointsOne: 50 });
  for (let nth = 0; nth < 3; nth++) await send("GET profile", { key: made.secret });
  await flushKeyUse(db, made.id);
  await updateApiKey(ctx, { id: made.id, maxPointsOne: null, maxPointsDay: 500 });
  const { results } = await listApiKeys(ctx, {});
  expect(results).toMatchObject([
    {
      id: made.id,
      prefix: made.secret.slice(0, 12),
      state: "active",
      createdBy: { id: other.owner.id },
      lastUsedAt: expect.any(Date),
      callsOfDay: 3,
      maxPointsOne: null,
      maxPointsDay: 500,
    },
  ]);
  expect(JSON.stringify(results)).not.toContain(made.secret);
  const audits = await db.audit.findMany({ where: { entityId: made.id }, orderBy: { id: "asc" } });
  expect(audits.map(({ action }) => action)).toEqual(["key.created", "key.changed"]);
  const mails = await db.email.findMany({ where: { recipient: other.owner.email } });
  expect(mails.map(({ subject }) => subject).sort()).toEqual([
    "API key changed: Kiosk",
    "New API key: Kiosk",
  ]);
  const neighbour = await makeMerchant(db);
  await expect(revokeApiKey(contextOf(db, neighbour.owner), { id: made.id })).rejects.toMatchObject({
    code: "api_key_not_found",
  });
});

test("whoever finds a key revokes it by itself, and the owner is told what it did", async () => {
  const other = await makeMerchant(db);
  const { secret, id } = await createApiKey(contextOf(db, other.owner), { name: "Kiosk", scopes: ["topup"] });
  const customer = await makeCustomer(db, other);
  const body = { customerId: customer.publicId, sPoints: 30, iBranchId: other.branch.id };
  await send("POST top-up-points", { key: secret, body, headers: { "idempotency-key": "a" } });
  const leak = (sKey: string) => send("POST api-keys/revoke-leaked", { body: { sKey } });
  expect((await leak(keySecret("D".repeat(24)))).status).toBe(200);
  expect((await leak(secret)).status).toBe(200);
  expect((await leak(secret)).status).toBe(200);
  expect(await send("GET profile", { key: secret })).toMatchObject({ status: 401 });
  const mails = await db.email.findMany({
    where: { recipient: other.owner.email, subject: { contains: "leaked" } },
  });
  expect(mails).toHaveLength(1);
  expect(mails[0] && (await textOf(mails[0]))).toContain("30 points");
  expect(await db.audit.count({ where: { entityId: id, action: "key.leaked" } })).toBe(1);
});

test("a secret that a rotation has ended revokes nothing, and one that is still good does", async () => {
  const other = await makeMerchant(db);
  const ctx = contextOf(db, other.owner);
  const made = await createApiKey(ctx, { name: "Kiosk", scopes: ["topup"] });
  const first = await rotateApiKey(ctx, { id: made.id });
  await db.apiKeySecret.updateMany({
    where: { apiKeyId: made.id, endsAt: { not: null } },
    data: { endsAt: new Date(0) },
  });
  const leak = (sKey: string) => send("POST api-keys/revoke-leaked", { body: { sKey } });
  expect((await leak(made.secret)).status).toBe(200);
  expect((await send("GET profile", { key: first.secret })).status).toBe(200);
  const second = await rotateApiKey(ctx, { id: made.id });
  expect((await leak(first.secret)).status).toBe(200);
  expect((await send("GET profile", { key: second.secret })).status).toBe(401);
});

test("a request whose key was sent in quotes, with escapes, is undone by that same text", async () => {
  const { secret } = await newKey();
  const { publicId } = await makeCustomer(db, shop);
  for (const sent of [String.raw`"till\\7"`, String.raw`"a\"b"`, '"a"b"', '"']) {
    const headers = { "idempotency-key": sent };
    expect((await topUp(secret, publicId, { headers })).status).toBe(200);
    const undone = await send("POST reversals", { key: secret, body: { sIdempotencyKey: sent } });
    expect([sent, undone.data.eResult]).toEqual([sent, "reversed"]);
  }
});

test("a leaked key that moved more points than an integer holds is revoked, too", async () => {
  const other = await makeMerchant(db);
  const ctx = contextOf(db, other.owner);
  const given = { name: "Kiosk", scopes: ["topup" as const], maxPointsDay: 2_147_483_647 };
  const { secret, id } = await createApiKey(ctx, given);
  const points = 1_000_000_000;
  const rules = {
    version: 1,
    dirhamsPerPoint: 1,
    minTopUp: 1,
    maxTopUp: points,
    maxBalance: points,
    undoMinutes: 15,
  };
  await db.pointsConfig.create({ data: { merchantId: other.merchant.id, ...rules } });
  const customer = await makeCustomer(db, other);
  const body = { customerId: customer.publicId, sPoints: points, iBranchId: other.branch.id };
  // What is undone counts no longer in the key's day, so that it may move the same again.
  for (const sIdempotencyKey of ["first", "second", "third"]) {
    const headers = { "idempotency-key": sIdempotencyKey };
    expect((await send("POST top-up-points", { key: secret, body, headers })).status).toBe(200);
    const undone = await send("POST reversals", { key: secret, body: { sIdempotencyKey } });
    expect(undone.status).toBe(200);
  }
  expect((await send("POST api-keys/revoke-leaked", { body: { sKey: secret } })).status).toBe(200);
  expect(await send("GET profile", { key: secret })).toMatchObject({ status: 401 });
  expect(await db.audit.count({ where: { entityId: id, action: "key.leaked" } })).toBe(1);
});

test("managing keys needs step-up; reading the list does not", async () => {
  const other = await makeMerchant(db);
  const token = await tokenOf(db, other.owner);
  await db.secondFactor.create({
    data: { userId: other.owner.id, kind: "totp", name: "Phone", secret: "x", confirmedAt: new Date() },
  });
  const headers = { authorization: token };
  const body = { sName: "Kiosk", aScopes: ["topup"] };
  expect(await send("POST api-keys", { headers, body })).toMatchObject({
    status: 403,
    code: "step_up_required",
  });
  expect((await send("GET api-keys", { headers })).status).toBe(200);
});
