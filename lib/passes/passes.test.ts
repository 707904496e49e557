import { execFileSync } from "node:child_process";
import { createHash, generateKeyPairSync, randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeJwt } from "jose";
import sharp from "sharp";
import { afterAll, describe, expect, test, vi } from "vitest";
import { addCardDevice } from "@/lib/cards/card-holder";
import { eraseCustomer } from "@/lib/cards/erase-card";
import { issueCode } from "@/lib/codes/codes";
import { editCustomer } from "@/lib/customers/edit-customer";
import { cardColours } from "@/lib/domain/card";
import { env } from "@/lib/env";
import { importImage } from "@/lib/files/attach";
import { runDue } from "@/lib/jobs/run-due";
import { jobContext } from "@/lib/jobs/task-registry";
import { runWorker } from "@/lib/jobs/worker";
import { topUp } from "@/lib/ledger/move-points";
import { updateBusiness } from "@/lib/merchants/business";
import { editConfig } from "@/lib/points-config/edit-config";
import { TASKS } from "@/lib/tasks";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeAdmin,
  makeCustomer,
  makeMerchant,
  makeWorker,
  publicContext,
} from "@/lib/testing/factories";
import { withSecrets } from "@/lib/testing/with-secrets";
import { registerDevice } from "./web-service";

// The requests that the stand-ins for Apple and Google received, and their next answers.
const pushes: { path: string; topic: unknown; body: string }[] = [];
let appleAnswers: (number | { status: number; reason: string })[] = [];
let appleConnections = 0;
const apple = http2.createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  request.on("end", () => {
    pushes.push({ path: request.url, topic: request.headers["apns-topic"], body });
    const answer = appleAnswers.shift() ?? 200;
    response.writeHead(typeof answer === "number" ? answer : answer.status);
    response.end(typeof answer === "number" ? "" : JSON.stringify({ reason: answer.reason }));
  });
});
apple.on("session", () => appleConnections++);
const patched: {
  path: string;
  authorization?: string;
  body: object;
}[] = [];
let googleAnswers: number[] = [];
const google = http.createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  request.on("end", () => {
    if (request.url === "/token") {
      response.setHeader("content-type", "application/json");
      return response.end(JSON.stringify({ access_token: "a-token", expires_in: 3600 }));
    }
    patched.push({
      path: request.url ?? "",
      authorization: request.headers.authorization,
      body: JSON.parse(body),
    });
    response.writeHead(googleAnswers.shift() ?? 200);
    response.end("{}");
  });
});
await Promise.all(
  [apple, google].map((server) => new Promise<void>((up) => server.listen(0, "127.0.0.1", up))),
);
const at = (server: { address(): unknown }) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
vi.stubEnv("APPLE_APNS_URL", at(apple));
vi.stubEnv("GOOGLE_WALLET_URL", at(google));
vi.stubEnv("GOOGLE_TOKEN_URL", `${at(google)}/token`);
vi.stubEnv("GOOGLE_WALLET_ISSUER_ID", "3388000000000000001");
vi.stubEnv(
  "GOOGLE_WALLET_KEY",
  JSON.stringify({
    client_email: "wallet@project.iam.test",
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
  }),
);
afterAll(() => {
  apple.close();
  google.close();
});

const db = await testDb();
const { GET: download } = await import("@/app/api/customer/[id]/apple-wallet-pass/route");
const { GET: saveLink } = await import("@/app/api/customer/[id]/google-wallet-link/route");
const { POST: register, DELETE: unregister } = await import(
  "@/app/api/wallet/v1/devices/[device]/registrations/[passType]/[serial]/route"
);
const { GET: changed } = await import("@/app/api/wallet/v1/devices/[device]/registrations/[passType]/route");
const { GET: latest } = await import("@/app/api/wallet/v1/passes/[passType]/[serial]/route");

async function makeCard() {
  const shop = await makeMerchant(db, { businessName: "كرك هاوس Karak House" });
  const worker = await makeWorker(db, shop);
  const customer = await makeCustomer(db, shop, { fullName: "ليلى حداد" });
  const ctx = contextOf(db, worker);
  const add = (points: number) => topUp(ctx, { customerId: customer.id, points, branchId: shop.branch.id });
  return { shop, customer, add };
}

async function unpack(response: Response): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "pass-"));
  writeFileSync(join(folder, "card.pkpass"), Buffer.from(await response.arrayBuffer()));
  execFileSync("unzip", ["-q", "card.pkpass", "-d", "."], { cwd: folder });
  return folder;
}

const call = (handler: typeof download, params: Record<string, string>, init: RequestInit = {}, query = "") =>
  handler(new Request(`http://localhost:3000/api${query}`, init), { params: Promise.resolve(params) });

type PassJson = {
  serialNumber: string;
  passTypeIdentifier: string;
  authenticationToken: string;
  backgroundColor: string;
  barcodes: { message: string }[];
  storeCard: { headerFields: { value: number }[] };
};
const passJson = (folder: string) => JSON.parse(readFileSync(join(folder, "pass.json"), "utf8")) as PassJson;

function stringsOf(folder: string, locale: string): string[] {
  const text = readFileSync(join(folder, `${locale}.lproj`, "pass.strings"), "utf8");
  return [...text.matchAll(/^"(\w+)"\s*=/gm)].map((found) => found[1] ?? "").sort();
}

describe("an Apple pass", () => {
  test("has a valid signature, a manifest with the hash of every file, and texts in both languages", async () => {
    const { customer } = await makeCard();
    const response = await call(download, { id: customer.id });
    expect(response.headers.get("content-type")).toBe("application/vnd.apple.pkpass");
    const folder = await unpack(response);
    const certificates = JSON.parse(
      readFileSync(join(process.env.DATA_DIR ?? "", "apple-development", "certificates.json"), "utf8"),
    ) as { wwdr: string };
    writeFileSync(join(folder, "wwdr.pem"), certificates.wwdr);
    execFileSync(
      "openssl",
      [
        "smime",
        "-verify",
        "-in",
        "signature",
        "-inform",
        "DER",
        "-content",
        "manifest.json",
        "-CAfile",
        "wwdr.pem",
        "-purpose",
        "any",
        "-out",
        "/dev/null",
      ],
      { cwd: folder, stdio: "pipe" },
    );
    const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Record<
      string,
      string
    >;
    expect(Object.keys(manifest)).toEqual(
      expect.arrayContaining([
        "pass.json",
        "icon.png",
        "icon@2x.png",
        "icon@3x.png",
        "logo@3x.png",
        "strip@3x.png",
      ]),
    );
    for (const [name, hash] of Object.entries(manifest)) {
      expect(
        createHash("sha1")
          .update(readFileSync(join(folder, name)))
          .digest("hex"),
        name,
      ).toBe(hash);
    }
    expect(stringsOf(folder, "ar")).toEqual(stringsOf(folder, "en"));
    expect(stringsOf(folder, "en")).toContain("cash");
    expect(passJson(folder).barcodes[0]?.message).toBe(
      `http://localhost:3000/topup/${customer.publicId}?src=apple`,
    );
  });

  test("has the colours of the card, also on the strip when the merchant has no image", async () => {
    const { shop, customer } = await makeCard();
    const folder = await unpack(await call(download, { id: customer.id }));
    const { via } = cardColours(shop.merchant.id);
    const hex = passJson(folder)
      .backgroundColor.match(/\d+/g)
      ?.map((part) => Number(part).toString(16));
    expect(`#${hex?.map((part) => part.padStart(2, "0")).join("")}`).toBe(via);
    const corner = await sharp(join(folder, "strip@3x.png"))
      .extract({ left: 0, top: 0, width: 1, height: 1 })
      .raw()
      .toBuffer();
    const expected = await sharp({ create: { width: 1, height: 1, channels: 3, background: via } })
      .raw()
      .toBuffer();
    for (const at of [0, 1, 2]) expect(Math.abs((corner[at] ?? 0) - (expected[at] ?? 0))).toBeLessThan(4);
  });

  test("shows the merchant's image on the strip", async () => {
    const { shop, customer } = await makeCard();
    const red = await sharp({ create: { width: 800, height: 400, channels: 3, background: "#e11d48" } })
      .png()
      .toBuffer();
    const imageKey = await importImage(db, red, "image/png");
    await db.merchant.update({ where: { id: shop.merchant.id }, data: { imageKey } });
    const folder = await unpack(await call(download, { id: customer.id }));
    const { channels } = await sharp(join(folder, "strip@2x.png")).stats();
    const [r = 0, g = 0, b = 0] = channels.map((channel) => channel.mean);
    expect(r > 2 * g && r > 2 * b).toBe(true);
  });

  test("cannot be downloaded by the public id", async () => {
    const { customer } = await makeCard();
    expect((await call(download, { id: customer.publicId })).status).toBe(404);
  });
});

describe("updates of a pass", () => {
  async function registered() {
    const card = await makeCard();
    const pass = passJson(await unpack(await call(download, { id: card.customer.id })));
    const keys = { device: randomUUID(), passType: pass.passTypeIdentifier, serial: pass.serialNumber };
    const authorization = `ApplePass ${pass.authenticationToken}`;
    const pushToken = randomUUID().replaceAll("-", "");
    const post = (token: string) =>
      call(register, keys, {
        method: "POST",
        headers: { authorization: token, "content-type": "application/json" },
        body: JSON.stringify({ pushToken }),
      });
    expect((await post("ApplePass not-the-token-of-this-pass")).status).toBe(401);
    expect((await post(authorization)).status).toBe(201);
    expect((await post(authorization)).status).toBe(200);
    return { ...card, keys, authorization, pushToken };
  }
  const pushesTo = (token: string) => pushes.filter(({ path }) => path === `/3/device/${token}`);
  const work = () => runDue(undefined, TASKS);

  test("a top-up sends a push, lists the pass as changed, and the pass has the new balance", async () => {
    const { add, keys, authorization, pushToken } = await registered();
    const before = await (await call(changed, keys)).json();
    const tag = `?passesUpdatedSince=${before.lastUpdated}`;
    expect((await call(changed, keys, {}, tag)).status).toBe(204);
    await add(350);
    await work();
    expect(pushesTo(pushToken)).toMatchObject([{ topic: keys.passType, body: "{}" }]);
    const after = await (await call(changed, keys, {}, tag)).json();
    expect(after.serialNumbers).toEqual([keys.serial]);
    const response = await call(latest, keys, { headers: { authorization } });
    const modified = response.headers.get("last-modified") ?? "";
    expect(passJson(await unpack(response)).storeCard.headerFields[0]?.value).toBe(350);
    const again = () => call(latest, keys, { headers: { authorization, "if-modified-since": modified } });
    expect((await again()).status).toBe(304);
    await add(1);
    await work();
    expect((await again()).status).toBe(200);
  });

  test.each(["9007199254740991", "-62135596800001", "-9000000000000000", "none"])(
    "an unknown tag (%s) lists every pass of the device",
    async (tag) => {
      const { keys } = await registered();
      const listed = await (await call(changed, keys, {}, `?passesUpdatedSince=${tag}`)).json();
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
      appleAnswers = [500];
      await add(10);
      await work();
      expect(pushesTo(pushToken)).toHaveLength(1);
      const [job] = await db.$queryRaw<{ attempts: number; waiting: boolean }[]>`
      select attempts, run_at > now() as waiting from graphile_worker.jobs where task_identifier = 'push_pass'`;
      expect(job).toEqual({ attempts: 1, waiting: true });
      appleAnswers = [gone];
      await retryJobs();
      expect(pushesTo(pushToken)).toHaveLength(2);
      expect(await db.passRegistration.count({ where: { deviceId: keys.device } })).toBe(0);
    },
  );

  test("the worker pushes a top-up, also after it was idle", async () => {
    const { add, pushToken } = await registered();
    const pushed = (times: number) =>
      vi.waitFor(() => expect(pushesTo(pushToken)).toHaveLength(times), { timeout: 30_000, interval: 20 });
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
    appleAnswers = [{ status: 400, reason: "TopicDisallowed" }];
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
    const connections = appleConnections;
    await add(2);
    await work();
    expect(appleConnections).toBe(connections);
  });

  test("a corrected name updates the pass", async () => {
    const { shop, customer, keys, authorization, pushToken } = await registered();
    const owner = contextOf(db, shop.owner);
    await editCustomer(owner, { customerId: customer.id, fullName: "ليلى الحداد" });
    await editCustomer(owner, { customerId: customer.id, phone: "+97455123456" });
    await work();
    expect(pushesTo(pushToken)).toHaveLength(1);
    const pass = passJson(await unpack(await call(latest, keys, { headers: { authorization } })));
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
    await updateBusiness(owner, { businessName: "Karak Palace" });
    await updateBusiness(owner, { phone: "+97444556677" });
    await work();
    expect(pushesTo(pushToken)).toHaveLength(2);
    const pass = passJson(await unpack(await call(latest, keys, { headers: { authorization } })));
    expect(JSON.stringify(pass)).toContain("Karak Palace");
    expect(pushesTo(other.pushToken)).toHaveLength(0);
    await editConfig(admin, { ...rules, dirhamsPerPoint: 130 });
    await work();
    expect(pushesTo(other.pushToken)).toHaveLength(1);
  });

  test("deleting a card voids its pass and pushes to its devices", async () => {
    const { customer, keys, authorization, pushToken } = await registered();
    const callWithSecrets = withSecrets(publicContext(db));
    const before = await (await call(changed, keys)).json();
    const holder = await addCardDevice(db, customer.id, new Date());
    const target = { purpose: "erase" as const, email: customer.email ?? "", customerId: customer.id };
    const code = await db.$transaction((tx) => issueCode(tx, target, "127.0.0.1", new Date()));
    await callWithSecrets(eraseCustomer, { customerId: customer.id, holder, code });
    const row = await db.pass.findUniqueOrThrow({ where: { customerId: customer.id } });
    expect(row.voidedAt).toBeInstanceOf(Date);
    const tag = `?passesUpdatedSince=${before.lastUpdated}`;
    expect((await (await call(changed, keys, {}, tag)).json()).serialNumbers).toEqual([keys.serial]);
    const pass = passJson(await unpack(await call(latest, keys, { headers: { authorization } })));
    expect(pass).toMatchObject({ voided: true });
    expect(JSON.stringify(pass)).not.toContain(customer.fullName);
    await work();
    expect(pushesTo(pushToken)).toHaveLength(1);
  });

  test("a device that removed the pass gets no more pushes", async () => {
    const { add, keys, authorization, pushToken } = await registered();
    expect((await call(unregister, keys, { method: "DELETE", headers: { authorization } })).status).toBe(200);
    await add(10);
    await work();
    expect(pushesTo(pushToken)).toHaveLength(0);
  });
});

describe("Google Wallet", () => {
  test("the save link contains the card, and a movement updates the object, also after a failed attempt", async () => {
    const { add, customer, shop } = await makeCard();
    const link = (await call(saveLink, { id: customer.id })).headers.get("location") ?? "";
    const jwt = link.replace("https://pay.google.com/gp/v/save/", "");
    expect(decodeJwt(jwt)).toMatchObject({
      iss: "wallet@project.iam.test",
      aud: "google",
      payload: {
        loyaltyObjects: [{ accountName: customer.fullName, loyaltyPoints: { balance: { int: 0 } } }],
      },
    });
    expect(decodeJwt(jwt)).toMatchObject({
      payload: {
        loyaltyClasses: [
          {
            issuerName: shop.merchant.businessName,
            hexBackgroundColor: cardColours(shop.merchant.id).via,
          },
        ],
      },
    });
    googleAnswers = [503];
    await add(75);
    await runDue(undefined, TASKS);
    await db.$executeRaw`
      select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at := now())`;
    await runDue(undefined, TASKS);
    const { serial } = await db.pass.findUniqueOrThrow({ where: { customerId: customer.id } });
    const mine = patched.filter(({ path }) => path.endsWith(`.${serial}`));
    expect(mine).toHaveLength(2);
    expect(mine[1]).toMatchObject({
      authorization: "Bearer a-token",
      body: { loyaltyPoints: { balance: { int: 75 } } },
    });
  });

  test("a merchant's new name updates its class", async () => {
    const { customer, shop } = await makeCard();
    await call(saveLink, { id: customer.id });
    await updateBusiness(contextOf(db, shop.owner), { businessName: "Karak Palace" });
    await runDue(undefined, TASKS);
    const mine = patched.filter(({ path }) => path.endsWith(`.${shop.merchant.id}`));
    expect(mine).toMatchObject([
      { path: expect.stringContaining("/loyaltyClass/"), body: { issuerName: "Karak Palace" } },
    ]);
  });
});
