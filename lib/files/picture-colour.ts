import sharp from "sharp";
import { type CardColours, cardColours, hexOf, hslOf } from "@/lib/cards/model/card-colours";
import type { Db } from "@/lib/db/client";
import { RecentMap } from "@/lib/observe/once";
import { MAX_UPLOAD_BYTES } from "./model/uploads";
import { type Storage, storage } from "./storage";

const SIDE = 48;
const BINS = 24;
/** Below this share of the picture's possible colour it counts as grey. */
const MIN_CHROMA = 0.02;

type Sum = { weight: number; sum: readonly [number, number, number] };
const NOTHING: Sum = { weight: 0, sum: [0, 0, 0] };
const plus = ({ weight, sum: [r, g, b] }: Sum, [red, green, blue]: Sum["sum"], by: number): Sum => ({
  weight: weight + by,
  sum: [r + red * by, g + green * by, b + blue * by],
});

/** The mean of a picture's strongest hue, such as "#0f5257", or its mean grey. Throws if it is no picture. */
export async function pictureColour(bytes: Uint8Array): Promise<string> {
  const { data } = await sharp(bytes)
    .resize(SIDE, SIDE, { fit: "fill" })
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const bins = Array.from({ length: BINS }, () => NOTHING);
  let grey = NOTHING;
  for (let at = 0; at + 2 < data.length; at += 3) {
    const pixel = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0] as const;
    const { hue, saturation, lightness } = hslOf(pixel);
    // White paper and black ink have a hue, but nobody sees it.
    const chroma = saturation * (1 - Math.abs(2 * lightness - 1));
    const bin = Math.floor((hue / 360) * BINS) % BINS;
    bins[bin] = plus(bins[bin] ?? NOTHING, pixel, chroma);
    grey = plus(grey, pixel, 1);
  }
  const best = bins.reduce((most, bin) => (bin.weight > most.weight ? bin : most));
  const { weight, sum } = best.weight >= MIN_CHROMA * grey.weight ? best : grey;
  return hexOf([sum[0] / weight, sum[1] / weight, sum[2] / weight]);
}

// A key is never used for another picture, so its colour never changes. Keys are ours, so the map stays small.
const known = new RecentMap<string, string>(2_000);

type Uploads = Pick<Db, "upload">;

/** The stored colour of a picture. One from before colours were stored is measured and stored now. */
async function colourOf(db: Uploads, key: string, store: Storage): Promise<string | null> {
  const before = known.get(key);
  if (before) return before;
  const row = await db.upload.findUnique({ where: { key }, select: { colour: true } });
  let colour = row?.colour ?? null;
  if (row && !colour) {
    // Without its file, or while the store is away, the card has the colours of a merchant without a picture.
    const bytes = await store.read(key, MAX_UPLOAD_BYTES).catch(() => null);
    colour = bytes && (await pictureColour(bytes).catch(() => null));
    if (colour) await db.upload.updateMany({ where: { key, colour: null }, data: { colour } });
  }
  if (colour) known.set(key, colour);
  return colour;
}

export type ColouredMerchant = { id: string; imageKey: string | null; colour: string | null };

/** The colours of a merchant's cards, passes and PDFs: see cardColours. */
export async function coloursOfMerchant(
  db: Uploads,
  { id, imageKey, colour }: ColouredMerchant,
  store?: Storage,
): Promise<CardColours> {
  const measured = imageKey && !colour ? await colourOf(db, imageKey, store ?? storage()) : null;
  return cardColours(id, measured, colour);
}
