import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { sendCode } from "@/lib/cards/sign-up";
import type { Locale } from "@/lib/domain/roles";
import { importImage } from "@/lib/files/attach";
import { logoPng, logoUrl, readPicture } from "@/lib/files/logo";
import { smallLogoUrl } from "@/lib/files/media-url";
import { topUp } from "@/lib/ledger/move-points";
import { viewReceipt } from "@/lib/receipts/receipts";
import { handlePostedMovements } from "@/lib/tasks/movement-posted";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeAdmin,
  makeCustomer,
  makeMerchant,
  publicContext,
  uniqueEmail,
} from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { callPass, readPassJson, unpackPass } from "@/lib/testing/passes";
import { merchantOptions } from "./read-merchants";

const download = handlerOf("GET", "customer/{id}/apple-wallet-pass");
const search = handlerOf("GET", "top-up-points/search-customers");

const db = await testDb();
const EN = 'Karak "House"';
const AR = "بيت الكرك";

async function shopWithLogo() {
  const png = await sharp({ create: { width: 100, height: 300, channels: 3, background: "#00a000" } })
    .png()
    .toBuffer();
  const logoKey = await importImage(db, png, "image/png");
  return makeMerchant(db, { businessName: EN, businessNameAr: AR, logoKey, colour: "#5b2a86" });
}

const mailTo = async (recipient: string) =>
  db.email.findFirstOrThrow({ where: { recipient }, orderBy: { id: "desc" } });

test("a code's e-mail names the shop in its reader's language, in its colour and with its logo", async () => {
  const { merchant } = await shopWithLogo();
  for (const [locale, shown] of [
    ["en", EN],
    ["ar", AR],
  ] as const) {
    const email = uniqueEmail("reader");
    await sendCode({ ...publicContext(db), locale }, { email, merchantId: merchant.publicId });
    const mail = await mailTo(email);
    expect(mail.text).toContain(shown);
    expect(mail.text).not.toContain(locale === "ar" ? EN : AR);
    expect(mail.html).toContain("background-color:#5b2a86");
    expect(mail.html).toMatch(/<img src="http:\/\/localhost:3000\/card\/logo\/[0-9a-f-]{36}" alt=""/);
  }
});

test("a printed receipt has both names, a mailed one its reader's", async () => {
  const shop = await shopWithLogo();
  const ctx = contextOf(db, shop.owner);
  for (const locale of ["en", "ar"] satisfies Locale[]) {
    const customer = await makeCustomer(db, shop, { locale });
    const { movement } = await topUp(ctx, { customerId: customer.id, points: 10, branchId: shop.branch.id });
    const receipt = await viewReceipt(ctx, { movementId: movement.id });
    const titles = receipt.lines.filter(({ kind }) => kind === "title");
    expect(titles).toMatchObject([{ text: EN }, { text: AR }]);
    await db.$transaction((tx) => handlePostedMovements(tx, [movement.id]));
    expect((await mailTo(customer.email ?? "")).text).toContain(locale === "ar" ? AR : EN);
  }
});

test("lists for Arabic readers have the Arabic name, and the API gives both apart", async () => {
  const shop = await shopWithLogo();
  const admin = contextOf(db, await makeAdmin(db));
  for (const [locale, label] of [
    ["en", EN],
    ["ar", AR],
  ] as const) {
    const options = await merchantOptions({ ...admin, locale }, {});
    expect(options).toContainEqual({ value: shop.merchant.id, label });
  }
  const customer = await makeCustomer(db, shop);
  const query = `?search=${customer.email}`;
  const found = await call(search, { token: await tokenOf(db, shop.owner), query });
  expect(found).toMatchObject({ data: [{ sBusinessName: EN, sBusinessNameAr: AR }] });
});

test("a pass has the name of each language, the logo on white and the colour", async () => {
  const shop = await shopWithLogo();
  const customer = await makeCustomer(db, shop);
  const folder = await unpackPass(await callPass(download, { id: customer.id }));
  const pass = readPassJson(folder);
  expect(pass).toMatchObject({ organizationName: EN, logoText: EN, backgroundColor: "rgb(91,42,134)" });
  const strings = (locale: Locale) => readFileSync(join(folder, `${locale}.lproj/pass.strings`), "utf8");
  expect(strings("ar")).toContain(`"Karak \\"House\\"" = "${AR}";`);
  expect(strings("en")).toContain('"Karak \\"House\\"" = "Karak \\"House\\"";');
  const { data, info } = await sharp(join(folder, "logo@3x.png")).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * info.channels).subarray(0, 3),
  ];
  expect(at(2, 2)).toEqual([255, 255, 255]);
  expect(at(20, 75)).toEqual([255, 255, 255]);
  const [red = 255, green = 0, blue = 255] = at(75, 75);
  expect(green > 100 && red < 60 && blue < 60).toBe(true);
});

test("the logo is served as a square PNG and as a small WebP; what is no image in use is not", async () => {
  const { merchant } = await shopWithLogo();
  const stranger = publicContext(db);
  const key = merchant.logoKey ?? "";
  expect(logoUrl(key)).toBe(`http://localhost:3000/card/logo/${key.slice(7, 43)}`);
  const meta = await sharp(await logoPng(stranger, { key })).metadata();
  expect(meta).toMatchObject({ format: "png", width: 256, height: 256 });
  // However often strangers ask, it is drawn once.
  const [first, ...more] = await Promise.all([1, 2, 3].map(() => logoPng(stranger, { key })));
  for (const one of more) expect(one).toBe(first);
  // Pages load a small one in its own shape.
  const small = key.replace("images/", "logos/");
  expect(smallLogoUrl(key)).toBe(`http://localhost:3000/api/media/${small}`);
  expect(smallLogoUrl(null)).toBeNull();
  const { bytes } = await readPicture(stranger, { key: small });
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 48, height: 144 });
  await db.upload.update({ where: { key }, data: { attachedAt: null } });
  for (const other of [key, `images/${merchant.id}.webp`, "../secret", small, "logos/../../secret"])
    for (const read of [logoPng, readPicture])
      await expect(read(stranger, { key: other })).rejects.toMatchObject({ code: "not_found" });
});
