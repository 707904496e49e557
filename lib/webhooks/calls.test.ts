import { expect, test } from "vitest";
import { PEER_HEADER } from "@/lib/api/address";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { auditsOf } from "@/lib/testing/audits";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeBranch, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import {
  createWebhook,
  deleteWebhook,
  replayWebhook,
  rotateWebhook,
  testWebhook,
  updateWebhook,
} from "./webhooks";

const db = await testDb();
const shop = await makeMerchant(db);
const owner = contextOf(db, shop.owner);
const keyWith = async (...scopes: ("events.read" | "webhooks" | "topup")[]) =>
  (await createApiKey(owner, { name: "Shop", scopes })).secret;

type Answer = { code?: string; data: Record<string, never> & { results: Record<string, unknown>[] } };
async function send(
  call: string,
  key: string,
  body?: unknown,
  params: Record<string, string> = {},
  query = "",
) {
  const [method = "", path = ""] = call.split(" ");
  const request = new Request(`http://localhost:3000/api/${path}${query}`, {
    method,
    headers: {
      [PEER_HEADER]: "10.9.0.1",
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await handlerOf(method, path)(request, { params });
  return { ...((await response.json()) as Answer), status: response.status, headers: response.headers };
}

test("a key reads events with events.read, page by page, and manages webhooks with webhooks; no other key does", async () => {
  const [reads, manages, neither] = [
    await keyWith("events.read"),
    await keyWith("webhooks"),
    await keyWith("topup"),
  ];
  for (let n = 0; n < 3; n++) await makeCustomer(db, shop);
  await waitForOpenTransactions(db);
  const first = await send("GET events", reads, undefined, {}, "?limit=2");
  expect(first.data.results.map(({ type }) => type)).toEqual(["customer.created", "customer.created"]);
  const link = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
  const second = await send("GET events", reads, undefined, {}, new URL(link).search);
  expect(second.data.results).toHaveLength(1);
  for (const key of [manages, neither]) expect((await send("GET events", key)).status).toBe(403);
  const made = { sUrl: "http://127.0.0.1:9/x", aEvents: ["topup.posted"] };
  for (const key of [reads, neither]) expect((await send("POST webhooks", key, made)).status).toBe(403);
  const created = await send("POST webhooks", manages, made);
  expect(created.data).toMatchObject({ sSecret: expect.stringMatching(/^whsec_/), eState: "active" });
  const listed = await send("GET webhooks", manages);
  expect(listed.data.results).toHaveLength(1);
  expect(listed.data.results[0]).not.toHaveProperty("sSecret");
});

test("an address that is none, private or of another kind is refused; so is a branch of another merchant", async () => {
  const key = await keyWith("webhooks");
  const of = async (sUrl: string, more: object = {}) =>
    (await send("POST webhooks", key, { sUrl, aEvents: ["topup.posted"], ...more })).code;
  expect(await of("nonsense")).toBe("validation");
  for (const url of [
    "ftp://shop.example/x",
    "https://user:pw@shop.example/x",
    "https://10.0.0.1/x",
    "https://169.254.169.254/latest",
    "http://[::ffff:10.0.0.1]/x",
    "https://2852039166/latest",
  ]) {
    expect(await of(url)).toBe("webhook_address");
  }
  const { id } = await makeBranch(db, await makeMerchant(db));
  expect(await of("http://127.0.0.1:9/x", { iBranchId: id })).toBe("branch_not_found");
  expect(
    (await send("POST webhooks", key, { sUrl: "http://127.0.0.1:9/x", aEvents: ["endpoint.test"] })).code,
  ).toBe("validation");
});

test("a webhook of one branch names the branch in both languages, as its list is shown in both", async () => {
  const { id } = await makeBranch(db, shop);
  const { name } = await db.branch.update({ where: { id }, data: { nameAr: "الخليج الغربي" } });
  const key = await keyWith("webhooks");
  const made = { sUrl: "http://127.0.0.1:9/branch", aEvents: ["topup.posted"], iBranchId: id };
  const created = await send("POST webhooks", key, made);
  expect(created.data.branch).toEqual({ _id: id, sBranchName: name, sBranchNameAr: "الخليج الغربي" });
});

test("owners confirm who they are, see none of another merchant, rotate once a day, and have 20 at most", async () => {
  const other = await makeMerchant(db);
  const boss = contextOf(db, other.owner);
  const given = { url: "http://127.0.0.1:9/x", events: ["topup.posted" as const] };
  const asked = createWebhook(contextOf(db, other.owner, { actor: { panel: true } }), given);
  await expect(asked).rejects.toMatchObject({ code: "step_up_required" });
  const { id, secret } = await createWebhook(boss, given);
  const rotated = await rotateWebhook(boss, { id });
  expect(rotated.secret).not.toBe(secret);
  await expect(rotateWebhook(boss, { id })).rejects.toMatchObject({ code: "webhook_rotating" });
  const stranger = updateWebhook(owner, { id, url: "http://127.0.0.1:9/y" });
  await expect(stranger).rejects.toMatchObject({ code: "webhook_not_found" });
  const many = await Promise.allSettled(Array.from({ length: 25 }, () => createWebhook(boss, given)));
  expect(many.filter(({ status }) => status === "fulfilled")).toHaveLength(19);
  expect(
    await db.audit.count({ where: { entityId: id, action: { in: ["webhook.created", "webhook.rotated"] } } }),
  ).toBe(2);
});

test("the log says what a webhook was before a change and after it, and nothing where nothing changed", async () => {
  const given = { url: "http://127.0.0.1:9/hooks/its-own-secret", events: ["topup.posted" as const] };
  const { id } = await createWebhook(owner, given);
  await updateWebhook(owner, { id, ...given, ordered: true, state: "active" });
  await updateWebhook(owner, { id, url: "http://127.0.0.1:10/x", events: ["hold.opened", "topup.posted"] });
  await updateWebhook(owner, { id, state: "disabled" });
  await updateWebhook(owner, { id, url: "http://127.0.0.1:10/y" });
  const entries = (await auditsOf(db, id)).map(({ action, before, after }) => ({ action, before, after }));
  const [host, name] = ["127.0.0.1:10", "127.0.0.1:10"];
  expect(entries).toEqual([
    {
      action: "webhook.created",
      before: null,
      after: {
        name: "127.0.0.1:9",
        host: "127.0.0.1:9",
        events: given.events,
        branchId: null,
        ordered: true,
        asymmetric: false,
        sending: true,
      },
    },
    {
      action: "webhook.changed",
      before: { host: "127.0.0.1:9", events: given.events },
      after: { name, host, events: ["topup.posted", "hold.opened"] },
    },
    { action: "webhook.changed", before: { sending: true }, after: { name, sending: false } },
    { action: "webhook.changed", before: null, after: { name } },
  ]);
});

test("owners get an e-mail of each new, changed and deleted webhook, and of who did it", async () => {
  const other = await makeMerchant(db);
  const boss = contextOf(db, other.owner);
  const { secret } = await createApiKey(boss, { name: "Website", scopes: ["webhooks"] });
  const made = { sUrl: "http://127.0.0.1:9/x?token=hidden", aEvents: ["topup.posted"] };
  const id = String((await send("POST webhooks", secret, made)).data._id);
  await updateWebhook(boss, { id, ordered: false });
  await updateWebhook(boss, { id, ordered: false });
  await rotateWebhook(boss, { id });
  await deleteWebhook(boss, { id });
  const person = `${other.owner.firstName} ${other.owner.lastName}`;
  const mails = await db.email.findMany({
    where: { recipient: other.owner.email, subject: { contains: "webhook", mode: "insensitive" } },
    orderBy: { id: "asc" },
    select: { subject: true, text: true },
  });
  expect(mails.map(({ subject }) => subject)).toEqual([
    "New webhook to 127.0.0.1:9",
    "Webhook to 127.0.0.1:9 changed",
    "New secret for the webhook to 127.0.0.1:9",
    "Webhook to 127.0.0.1:9 deleted",
  ]);
  expect(mails.map(({ text }) => text.includes("the API key Website"))).toEqual([true, false, false, false]);
  expect(mails.map(({ text }) => text.includes(person))).toEqual([false, true, true, true]);
  expect(JSON.stringify(mails)).not.toContain("hidden");
});

test("a merchant tests and replays webhooks sixty times a minute, whichever it is", async () => {
  const other = await makeMerchant(db);
  const boss = contextOf(db, other.owner);
  const given = { url: "http://127.0.0.1:9/x", events: ["topup.posted" as const] };
  const [first, second] = [await createWebhook(boss, given), await createWebhook(boss, given)];
  const tests = Array.from({ length: 59 }, () => testWebhook(boss, { id: first.id }));
  expect((await Promise.allSettled(tests)).every(({ status }) => status === "fulfilled")).toBe(true);
  const again = () => replayWebhook(boss, { id: second.id, failedOnly: true });
  expect(await again()).toEqual({ count: 0 });
  await expect(again()).rejects.toMatchObject({ code: "rate_limited", params: { limit: 60 } });
  await expect(testWebhook(boss, { id: first.id })).rejects.toMatchObject({ code: "rate_limited" });
});

test("a time is a text with its zone: neither null, nor a number, nor a local time is taken for one", async () => {
  const key = await keyWith("webhooks");
  const { id } = await createWebhook(owner, { url: "http://127.0.0.1:9/x", events: ["topup.posted"] });
  const replay = (dFrom: unknown) =>
    send("POST webhooks/{id}/replay", key, { bFailedOnly: true, dFrom }, { id });
  for (const dFrom of [null, true, 1_764_316_800, "1764316800", "2026-11-24T08:00:00"]) {
    const { status, code } = await replay(dFrom);
    expect([dFrom, status, code]).toEqual([dFrom, 400, "validation"]);
  }
  for (const dFrom of ["2026-11-24", "2026-11-24T08:00:00Z", "2026-11-24T11:00:00.000+03:00"])
    expect((await replay(dFrom)).status).toBe(200);
});

test("a time that Postgres does not know is refused, and not a fault", async () => {
  const key = await keyWith("webhooks");
  const { id } = await createWebhook(owner, { url: "http://127.0.0.1:9/x", events: ["topup.posted"] });
  for (const time of ["0000-01-01", "-271821-04-20T00:00:00.000Z", "+275760-09-13T00:00:00.000Z"]) {
    const query = `?${new URLSearchParams({ dFrom: time })}`;
    const refused = { status: 400, code: "validation", errors: [{ path: "dFrom" }] };
    expect(await send("GET webhooks/{id}/deliveries", key, undefined, { id }, query)).toMatchObject(refused);
    const range = { dFrom: time, dTo: "2026-11-24T08:00:00.000Z" };
    expect(await send("POST webhooks/{id}/replay", key, range, { id })).toMatchObject(refused);
  }
});
