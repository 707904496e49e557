import sharp from "sharp";
import { expect, test } from "vitest";
import { cardColours } from "@/lib/cards/model/card-colours";
import { testDb } from "@/lib/testing/database";
import { makeMerchant, publicContext } from "@/lib/testing/factories";
import { importImage } from "./attach";
import { notePng, noteUrl } from "./note";

const db = await testDb();
const colour = "#8a1538";

/** A part of a colour, from 0 to 1, as WCAG adds it up. */
const linear = (share: number) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);

const bytesOf = (merchantId: string) => notePng(publicContext(db), { merchantId });

test("each shop has its own note, also beside a shop of the same colour, and always the same one", async () => {
  const shops = [await makeMerchant(db, { colour }), await makeMerchant(db, { colour })];
  const notes = await Promise.all(
    shops.flatMap(({ merchant }) => [merchant.id, merchant.publicId]).map(bytesOf),
  );
  expect(new Set(notes.map((bytes) => bytes.toString("base64"))).size).toBe(2);
  expect(await sharp(notes[0]).metadata()).toMatchObject({ format: "png", width: 1032, height: 336 });
});

test("a note over a white picture is dark enough for white text, and fits the picture's place", async () => {
  // The hardest of all: its darkest shade is lightest.
  const { merchant } = await makeMerchant(db, { colour: "#595959" });
  const plain = await bytesOf(merchant.id);
  const white = await sharp({ create: { width: 900, height: 700, channels: 3, background: "#ffffff" } })
    .png()
    .toBuffer();
  await db.merchant.update({
    where: { id: merchant.id },
    data: { imageKey: await importImage(db, white, "image/png") },
  });
  const pictured = await bytesOf(merchant.id);
  expect(pictured.equals(plain)).toBe(false);
  const { data } = await sharp(pictured).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let lightest = 0;
  for (let at = 0; at < data.length; at += 3)
    lightest = Math.max(
      lightest,
      [0.2126, 0.7152, 0.0722].reduce((sum, part, of) => sum + part * linear((data[at + of] ?? 0) / 255), 0),
    );
  // The waves count: no pixel is too light.
  expect(1.05 / (lightest + 0.05)).toBeGreaterThan(4.5);
});

test("the address changes with what the note shows, and nobody sees the note of a shop that is not approved", async () => {
  const { merchant } = await makeMerchant(db, { status: "pending" });
  await expect(bytesOf(merchant.id)).rejects.toMatchObject({ code: "not_found" });
  const url = (own: string | null, imageKey: string | null = null) =>
    noteUrl({ id: merchant.id, imageKey, colours: cardColours(merchant.id, null, own) });
  expect(new Set([url(null), url(colour), url(colour, "images/1.webp")]).size).toBe(3);
  expect(url(colour)).toBe(url(colour));
});
