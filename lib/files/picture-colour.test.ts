import sharp from "sharp";
import { expect, test } from "vitest";
import { cardColours } from "@/lib/cards/model/card-colours";
import { testDb } from "@/lib/testing/database";
import { makeMerchant } from "@/lib/testing/factories";
import { importImage } from "./attach";
import { coloursOfMerchant, pictureColour } from "./picture-colour";
import { newKey, storage } from "./storage";

const db = await testDb();

const draw = (ground: string, circle: string) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="${ground}"/><circle cx="150" cy="100" r="70" fill="${circle}"/></svg>`,
    ),
  )
    .png()
    .toBuffer();

const colourOf = async (key: string) =>
  (await db.upload.findUniqueOrThrow({ where: { key }, select: { colour: true } })).colour;

test("a picture's colour is its strongest hue, not its white ground; without a hue it is grey", async () => {
  expect(await pictureColour(await draw("#ffffff", "#c2185b"))).toMatch(/^#c[0-9a-f]1[0-9a-f]5[0-9a-f]$/);
  const grey = await pictureColour(await draw("#ffffff", "#222222"));
  expect(grey).toMatch(/^#(..)\1\1$/);
});

test("the colour is stored with the upload and decides the merchant's colours", async () => {
  const { merchant } = await makeMerchant(db);
  const imageKey = await importImage(db, await draw("#0d47a1", "#ffffff"), "image/png");
  const stored = await colourOf(imageKey);
  expect(stored).toMatch(/^#[0-9a-f]{6}$/);
  expect(await coloursOfMerchant(db, { id: merchant.id, imageKey, colour: null })).toEqual(
    cardColours(merchant.id, stored, null),
  );
});

test("a picture from before colours were stored is measured once, when its card is first shown", async () => {
  const { merchant } = await makeMerchant(db);
  const imageKey = await importImage(db, await draw("#1b5e20", "#ffffff"), "image/png");
  const measured = await colourOf(imageKey);
  await db.upload.update({ where: { key: imageKey }, data: { colour: null } });
  const colours = await coloursOfMerchant(db, { id: merchant.id, imageKey, colour: null });
  expect(colours).toEqual(cardColours(merchant.id, measured, null));
  expect(await colourOf(imageKey)).toBe(measured);
});

test("without its file, or while the store is away, the card has the colours of a merchant without a picture", async () => {
  const { merchant } = await makeMerchant(db);
  const plain = cardColours(merchant.id, null, null);
  const imageKey = await importImage(db, await draw("#4a148c", "#ffffff"), "image/png");
  await db.upload.update({ where: { key: imageKey }, data: { colour: null } });
  const away = { ...storage(), read: () => Promise.reject(new Error("away")) };
  expect(await coloursOfMerchant(db, { id: merchant.id, imageKey, colour: null }, away)).toEqual(plain);
  expect(await colourOf(imageKey)).toBeNull();
  // The store is back.
  expect(await coloursOfMerchant(db, { id: merchant.id, imageKey, colour: null })).not.toEqual(plain);
  expect(await coloursOfMerchant(db, { id: merchant.id, imageKey: newKey("image"), colour: null })).toEqual(
    plain,
  );
});
