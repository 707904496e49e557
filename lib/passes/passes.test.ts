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
import { jobContext } from "@/lib/jobs/known-tasks";
import { runDue } from "@/lib/jobs/run-due";
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
import { provedBy } from "@/lib/testing/proved";
import { registerDevice } from "./web-service";

// What Apple's and Google's servers heard, and what they are to answer next.
const heard: { path: string; topic: unknown; body: string }[] = [];
let appleAnswers: (number | { status: number; reason: string })[] = [];
let appleConnections = 0;
const apple = http2.createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  request.on("end", () => {
    heard.push({ path: request.url, topic: request.headers["apns-topic"], body });
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
  const house = await makeMerchant(db, { businessName: "كرك هاوس Karak House" });
  const worker = await makeWorker(db, house);
  const customer = await makeCustomer(db, house, { fullName: "ليلى حداد" });
  const ctx = contextOf(db, worker);
  const add = (points: number) => topUp(ctx, { customerId: customer.id, points, branchId: house.branch.id });
  return { house, customer, add };
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
  test("is signed by its chain, its manifest holds every file's hash, and it speaks both languages", async () => {
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

  test("wears the colours of the card, its strip too where the merchant has no image", async () => {
    const { house, customer } = await makeCard();
    const folder = await unpack(await call(download, { id: customer.id }));
    const { via } = cardColours(house.merchant.id);
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

  test("has the merchant's image for its strip", async () => {
    const { house, customer } = await makeCard();
    const red = await sharp({ create: { width: 800, height: 400, channels: 3, background: "#e11d48" } })
      .png()
      .toBuffer();
    const imageKey = await importImage(db, red, "image/png");
    await db.merchant.update({ where: { id: house.merchant.id }, data: { imageKey } });
    const folder = await unpack(await call(download, { id: customer.id }));
    const { channels } = await sharp(join(folder, "strip@2x.png")).stats();
    const [r = 0, g = 0, b = 0] = channels.map((channel) => channel.mean);
    expect(r > 2 * g && r > 2 * b).toBe(true);
  });

  test("is not had by the public id", async () => {
    const { customer } = await makeCard();
    expect((await call(download, { id: customer.publicId })).status).toBe(404);
  });
});

describe("the pass stays true", () => {
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
  const pushesTo = (token: string) => heard.filter(({ path }) => path === `/3/device/${token}`);
  const work = () => runDue(undefined, TASKS);

  test("a top-up pushes, is listed as changed, and the fetched pass holds the new balance", async () => {
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
    "a tag that was never ours (%s) lists every pass of the device",
    async (tag) => {
      const { keys } = await registered();
      const listed = await (await call(changed, keys, {}, `?passesUpdatedSince=${tag}`)).json();
      expect(listed).toMatchObject({ serialNumbers: [keys.serial] });
    },
  );

  test("of endless devices with one pass the latest thirty are told", async () => {
    const { add, keys, authorization, pushToken } = await registered();
    const proved = provedBy(publicContext(db));
    const told = Array.from({ length: 30 }, () => randomUUID().replaceAll("-", ""));
    for (const token of told)
      await proved(registerDevice, { ...keys, device: randomUUID(), authorization, pushToken: token });
    await add(5);
    await work();
    expect(told.flatMap(pushesTo)).toHaveLength(30);
    expect(pushesTo(pushToken)).toEqual([]);
  });

  /** Does the work that waits for a later try, now. */
  const workAgain = async () => {
    await db.$executeRaw`
      select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at := now())`;
    await work();
  };

  test.each([410, { status: 400, reason: "BadDeviceToken" }])(
    "a device that is gone is forgotten; a fault is tried again: %j",
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
      await workAgain();
      expect(pushesTo(pushToken)).toHaveLength(2);
      expect(await db.passRegistration.count({ where: { deviceId: keys.device } })).toBe(0);
    },
  );

  test("the worker by itself pushes a top-up, also once it is idle", async () => {
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

  test("a refusal that is about us forgets no device", async () => {
    const { add, keys, pushToken } = await registered();
    appleAnswers = [{ status: 400, reason: "TopicDisallowed" }];
    await add(10);
    await work();
    await workAgain();
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

  test("a mended name reaches the pass", async () => {
    const { house, customer, keys, authorization, pushToken } = await registered();
    const owner = contextOf(db, house.owner);
    await editCustomer(owner, { customerId: customer.id, fullName: "ليلى الحداد" });
    await editCustomer(owner, { customerId: customer.id, phone: "+97455123456" });
    await work();
    expect(pushesTo(pushToken)).toHaveLength(1);
    const pass = passJson(await unpack(await call(latest, keys, { headers: { authorization } })));
    expect(JSON.stringify(pass)).toContain("ليلى الحداد");
  });

  test("a new rate, name or picture reaches every pass of the merchant, and no other", async () => {
    const { house, keys, authorization, pushToken } = await registered();
    const other = await registered();
    const owner = contextOf(db, house.owner);
    const admin = contextOf(db, await makeAdmin(db));
    const rules = { minTopUp: 1, maxTopUp: 5000, maxBalance: 20000, undoMinutes: 15, workerDailyCap: null };
    const merchantId = house.merchant.id;
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

  test("the pass of a deleted card is void from that moment, and its devices hear so", async () => {
    const { customer, keys, authorization, pushToken } = await registered();
    const proved = provedBy(publicContext(db));
    const before = await (await call(changed, keys)).json();
    const holder = await addCardDevice(db, customer.id, new Date());
    const target = { purpose: "erase" as const, email: customer.email ?? "", customerId: customer.id };
    const code = await db.$transaction((tx) => issueCode(tx, target, "127.0.0.1", new Date()));
    await proved(eraseCustomer, { customerId: customer.id, holder, code });
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

  test("a device that removed the pass hears nothing more", async () => {
    const { add, keys, authorization, pushToken } = await registered();
    expect((await call(unregister, keys, { method: "DELETE", headers: { authorization } })).status).toBe(200);
    await add(10);
    await work();
    expect(pushesTo(pushToken)).toHaveLength(0);
  });
});

describe("Google Wallet", () => {
  test("the save link carries the card, and a movement updates the object, also after a fault", async () => {
    const { add, customer, house } = await makeCard();
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
            issuerName: house.merchant.businessName,
            hexBackgroundColor: cardColours(house.merchant.id).via,
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

  test("a merchant's new name reaches its class", async () => {
    const { customer, house } = await makeCard();
    await call(saveLink, { id: customer.id });
    await updateBusiness(contextOf(db, house.owner), { businessName: "Karak Palace" });
    await runDue(undefined, TASKS);
    const mine = patched.filter(({ path }) => path.endsWith(`.${house.merchant.id}`));
    expect(mine).toMatchObject([
      { path: expect.stringContaining("/loyaltyClass/"), body: { issuerName: "Karak Palace" } },
    ]);
  });
});
