import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { cardColours } from "@/lib/cards/model/card-colours";
import { addDays, dayStart, formatDate, qatarDay } from "@/lib/domain/time";
import { importImage } from "@/lib/files/attach";
import { openHold } from "@/lib/holds/holds";
import { giveBonus } from "@/lib/ledger/move-points";
import { testDb } from "@/lib/testing/database";
import { apiKeyContext, contextOf, makeCustomer } from "@/lib/testing/factories";
import { callPass, makePassCard, readPassJson, unpackPass } from "@/lib/testing/passes";

const db = await testDb();
const { handlerOf } = await import("@/lib/testing/handlers");
const download = handlerOf("GET", "customer/{id}/apple-wallet-pass");

function stringsOf(folder: string, locale: string): string[] {
  const text = readFileSync(join(folder, `${locale}.lproj`, "pass.strings"), "utf8");
  return [...text.matchAll(/^"(\w+)"\s*=/gm)].map((found) => found[1] ?? "").sort();
}

test("has a valid signature, a manifest with the hash of every file, and texts in both languages", async () => {
  const { customer } = await makePassCard(db);
  const response = await callPass(download, { id: customer.id });
  expect(response.headers.get("content-type")).toBe("application/vnd.apple.pkpass");
  const folder = await unpackPass(response);
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
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Record<string, string>;
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
  expect(readPassJson(folder).barcodes[0]?.message).toBe(
    `http://localhost:3000/topup/${customer.publicId}?src=apple`,
  );
});

test("names with quotes and backslashes leave the texts readable in both languages", async () => {
  const { shop, customer, add } = await makePassCard(db);
  const businessNameAr = 'بيت "الكرك" \\';
  await db.merchant.update({
    where: { id: shop.merchant.id },
    data: { businessName: 'The "Karak" \\', businessNameAr, redeemAllowance: 5000 },
  });
  await db.branch.update({ where: { id: shop.branch.id }, data: { name: 'Souq "Waqif" \\' } });
  await add(100);
  const key = await apiKeyContext(db, shop);
  const hold = { customerId: customer.id, branchId: shop.branch.id, points: 20, seconds: 600 };
  for (const idempotencyKey of [randomUUID(), randomUUID()]) await openHold(key, { ...hold, idempotencyKey });
  const folder = await unpackPass(await callPass(download, { id: customer.id }));
  for (const locale of ["en", "ar"]) {
    const text = readFileSync(join(folder, `${locale}.lproj`, "pass.strings"), "utf8");
    for (const line of text.split("\n")) expect(line).toMatch(/^"(?:[^"\\]|\\.)+" = "(?:[^"\\]|\\.)+";$/);
    expect(text).toContain('Souq \\"Waqif\\" \\\\');
  }
});

test("says the year in which a bonus ends, unless it is this year", async () => {
  const { shop, customer, add } = await makePassCard(db);
  await add(10);
  const endsOn = addDays(qatarDay(new Date()), 400);
  const at = { customerId: customer.id, branchId: shop.branch.id };
  await giveBonus(contextOf(db, shop.owner), { ...at, points: 20, reason: "A gift", endsOn });
  const folder = await unpackPass(await callPass(download, { id: customer.id }));
  const text = readFileSync(join(folder, "en.lproj", "pass.strings"), "utf8");
  expect(text).toContain(`QAR 20.00 expires on ${formatDate(dayStart(endsOn), "en")}`);
});

test("has the colours of the card, also on the strip when the merchant has no image", async () => {
  const { shop, customer } = await makePassCard(db);
  const folder = await unpackPass(await callPass(download, { id: customer.id }));
  const { via } = cardColours(shop.merchant.id, null, null);
  const hex = readPassJson(folder)
    .backgroundColor.match(/\d+/g)
    ?.map((part) => Number(part).toString(16));
  expect(`#${hex?.map((part) => part.padStart(2, "0")).join("")}`).toBe(via);
  // A wave is lighter than the ground, and finer than this corner.
  const place = sharp(join(folder, "strip@3x.png")).extract({ left: 0, top: 0, width: 12, height: 12 });
  const corner = await sharp(await place.png().toBuffer()).stats();
  const expected = await sharp({ create: { width: 1, height: 1, channels: 3, background: via } })
    .raw()
    .toBuffer();
  for (const at of [0, 1, 2])
    expect(Math.abs((corner.channels[at]?.min ?? 0) - (expected[at] ?? 0))).toBeLessThan(6);
});

test("the strip is the merchant's own banknote: the same for its cards, another one for a shop of the same colour", async () => {
  const colour = "#8a1538";
  const strips = new Set<string>();
  for (const shops of [1, 2]) {
    const { shop, customer } = await makePassCard(db);
    await db.merchant.update({ where: { id: shop.merchant.id }, data: { colour } });
    const other = await makeCustomer(db, shop);
    for (const { id } of [customer, other]) {
      const folder = await unpackPass(await callPass(download, { id }));
      strips.add(readFileSync(join(folder, "strip@2x.png"), "base64"));
    }
    expect(strips.size).toBe(shops);
  }
});

test("shows the merchant's image on the strip", async () => {
  const { shop, customer } = await makePassCard(db);
  const red = await sharp({ create: { width: 800, height: 400, channels: 3, background: "#e11d48" } })
    .png()
    .toBuffer();
  const imageKey = await importImage(db, red, "image/png");
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { imageKey } });
  const folder = await unpackPass(await callPass(download, { id: customer.id }));
  const { channels } = await sharp(join(folder, "strip@2x.png")).stats();
  const [r = 0, g = 0, b = 0] = channels.map((channel) => channel.mean);
  expect(r > 2 * g && r > 2 * b).toBe(true);
  const [ground = 0, green = 0] = (readPassJson(folder).backgroundColor.match(/\d+/g) ?? []).map(Number);
  expect(ground).toBeGreaterThan(2 * green);
});

test("the file has the merchant's name, written as the header must have it", async () => {
  const { shop, customer } = await makePassCard(db);
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { businessName: "Joe's Café (Doha)" } });
  const header = (await callPass(download, { id: customer.id })).headers.get("content-disposition") ?? "";
  // RFC 5987: of the signs in it only these may be written as they are.
  const [, name = ""] = /filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(header) ?? [];
  expect(decodeURIComponent(name)).toBe("Joe's-Café-(Doha).pkpass");
});

test("cannot be downloaded by the public id", async () => {
  const { customer } = await makePassCard(db);
  expect((await callPass(download, { id: customer.publicId })).status).toBe(404);
});
