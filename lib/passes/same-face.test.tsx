import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { renderToStaticMarkup } from "react-dom/server";
import sharp from "sharp";
import { expect, test } from "vitest";
import { CardFace } from "@/components/cards/face";
import { CARD, cardPdf } from "@/lib/cards/card-pdf";
import { cardColours } from "@/lib/cards/model/card-colours";
import { waveGroup, wavePaths, waveSeed } from "@/lib/cards/model/waves";
import { notePng } from "@/lib/files/note";
import { testDb } from "@/lib/testing/database";
import { publicContext } from "@/lib/testing/factories";
import { testFolder } from "@/lib/testing/folder";
import { callPass, makePassCard, unpackPass } from "@/lib/testing/passes";
import { startWalletServers } from "@/lib/testing/wallet-servers";
import { withSecrets } from "@/lib/testing/with-secrets";

await startWalletServers();
const db = await testDb();
const { handlerOf } = await import("@/lib/testing/handlers");
const saveLink = handlerOf("GET", "customer/{id}/google-wallet-link");
const download = handlerOf("GET", "customer/{id}/apple-wallet-pass");
const colour = "#8a1538";

/** The class's picture that Google Wallet fetches, by the address in the link that saves a card. */
async function heroOf(customerId: string): Promise<Buffer> {
  const link = (await callPass(saveLink, { id: customerId })).headers.get("location") ?? "";
  const { payload } = decodeJwt<{
    payload: { loyaltyClasses: { heroImage: { sourceUri: { uri: string } } }[] };
  }>(link.replace("https://pay.google.com/gp/v/save/", ""));
  const uri = payload.loyaltyClasses[0]?.heroImage.sourceUri.uri ?? "";
  return notePng(publicContext(db), { merchantId: new URL(uri).pathname.split("/").at(-1) ?? "" });
}

const stripOf = async (customerId: string): Promise<Buffer> =>
  readFileSync(join(await unpackPass(await callPass(download, { id: customerId })), "strip@3x.png"));

/** The card on the PDF's page, three pixels for each point. */
async function printedCard(customerId: string): Promise<Buffer> {
  const { bytes } = await withSecrets(publicContext(db))(cardPdf, { customerId });
  const stem = join(testFolder("face"), "card");
  writeFileSync(`${stem}.pdf`, bytes);
  execFileSync("pdftoppm", ["-r", "216", "-png", "-singlefile", `${stem}.pdf`, stem]);
  const place = { left: 48 * 3, top: 48 * 3, width: CARD.width * 3, height: CARD.height * 3 };
  return sharp(`${stem}.png`).extract(place).png().toBuffer();
}

/** The PNG's size, and how bright each point is, from 0 to 255. */
async function pixels(png: Buffer) {
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/**
 * How much brighter a PNG is on the waves of a merchant than between them. Text and gradients count for both; the waves of
 * another merchant answer about 0.
 */
async function shows(png: Buffer, merchantId: string, width: number): Promise<number> {
  const drawn = await pixels(png);
  const scale = drawn.width / width;
  const group = waveGroup(waveSeed(merchantId), width, Math.round(drawn.height / scale));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${drawn.height / scale}" width="${drawn.width}" height="${drawn.height}"><rect width="100%" height="100%"/>${group}</svg>`;
  const waves = await pixels(await sharp(Buffer.from(svg)).png().toBuffer());
  const sums = { on: [0, 0], off: [0, 0] } as Record<"on" | "off", [number, number]>;
  waves.data.forEach((light, at) => {
    const side = sums[light > 8 ? "on" : "off"];
    side[0] += drawn.data[at] ?? 0;
    side[1] += 1;
  });
  return sums.on[0] / sums.on[1] - sums.off[0] / sums.off[1];
}

test("web card, PDF, Apple pass and Google object of a shop show its one face, and not its neighbour's", async () => {
  const cards = [await makePassCard(db), await makePassCard(db)];
  const ids = cards.map(({ shop }) => shop.merchant.id);
  for (const [at, { shop, customer }] of cards.entries()) {
    const own = shop.merchant.id;
    const other = ids[1 - at] ?? "";
    await db.merchant.update({ where: { id: own }, data: { colour } });
    const drawn = {
      pdf: [await printedCard(customer.id), CARD.width],
      apple: [await stripOf(customer.id), 375],
      google: [await heroOf(customer.id), 516],
    } as const;
    for (const [face, [png, width]] of Object.entries(drawn)) {
      const [mine, theirs] = [await shows(png, own, width), await shows(png, other, width)];
      expect(mine, face).toBeGreaterThan(4 + Math.abs(theirs));
    }
    const web = renderToStaticMarkup(
      <CardFace colours={cardColours(own, null, colour)} imageUrl={null} title="Card" />,
    );
    expect(web).toContain(wavePaths(waveSeed(own)).join(""));
    expect(web).not.toContain(wavePaths(waveSeed(other)).join(""));
    expect(web).toContain(`--card-via:${colour}`);
  }
});
