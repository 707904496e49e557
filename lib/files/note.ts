import { createHash } from "node:crypto";
import sharp from "sharp";
import { z } from "zod";
import { type CardColours, type NoteGround, PICTURE_SHADE } from "@/lib/cards/model/card-colours";
import { waveGroup } from "@/lib/cards/model/waves";
import type { Db } from "@/lib/db/client";
import { ofEitherId } from "@/lib/db/query";
import { DomainError } from "@/lib/domain/errors";
import { idSchema } from "@/lib/domain/ids";
import { env } from "@/lib/env";
import { remembering } from "@/lib/observe/once";
import { operation } from "@/lib/operations/operation";
import { readImage } from "./attach";
import { type ColouredMerchant, coloursOfMerchant } from "./picture-colour";

/** Width and height of a drawing in points, and its pixels per point. */
export type NoteSize = { width: number; height: number; scale: number };

/** The note as SVG. Over a picture it is a shade. */
function noteSvg(colours: CardColours, { width, height, scale }: NoteSize, isShade: boolean): Buffer {
  const { from, via, to, waves } = colours;
  const [first, last, opacity] = isShade ? [to, to, PICTURE_SHADE] : [via, from, 1];
  const stops = [first, last].map(
    (colour, at) => `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`,
  );
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width * scale}" height="${height * scale}">` +
      `<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1">${stops.join("")}</linearGradient></defs>` +
      `<rect width="${width}" height="${height}" fill="url(#g)"/>${waveGroup(waves, width, height)}</svg>`,
  );
}

/** A merchant's banknote as PNG: its colours and waves, over its picture if there is one. */
export async function drawNote(
  colours: CardColours,
  picture: Uint8Array | null,
  size: NoteSize,
): Promise<Buffer> {
  const note = noteSvg(colours, size, picture !== null);
  const pixels = { width: size.width * size.scale, height: size.height * size.scale };
  // A palette halves the bytes of a drawing, which every e-mail's head loads.
  if (!picture) return sharp(note).png({ palette: true }).toBuffer();
  const layers = [{ input: await sharp(note).png().toBuffer() }];
  return sharp(picture)
    .resize({ ...pixels, fit: "cover" })
    .composite(layers)
    .png()
    .toBuffer();
}

/** The picture over a card in Google Wallet: https://developers.google.com/wallet/generic/resources/brand-guidelines */
const HERO: NoteSize = { width: 516, height: 168, scale: 2 };

type Noted = { id: string; imageKey: string | null; colours: CardColours };

/** Changes with what the note shows, so that another note has another address. */
const versionOf = ({ imageKey, colours }: Omit<Noted, "id">) =>
  createHash("sha256")
    .update(JSON.stringify([imageKey, colours]))
    .digest("base64url")
    .slice(0, 12);

/** The address of notePng. */
export const noteUrl = (merchant: Noted): string =>
  `${env().APP_URL}/card/note/${merchant.id}?v=${versionOf(merchant)}`;

/** The path of notePng without the merchant's picture: the ground of the heads of pages and e-mails. */
export const plainNotePath = ({ id, colours }: Omit<Noted, "imageKey">): string =>
  `/card/note/${id}?plain=1&v=${versionOf({ imageKey: null, colours })}`;

/** The ground of a merchant's heads on pages that strangers see. */
export async function noteGroundOf(
  db: Pick<Db, "upload">,
  { publicId, ...merchant }: ColouredMerchant & { publicId: string },
): Promise<NoteGround> {
  const colours = await coloursOfMerchant(db, merchant);
  return { colour: colours.via, path: plainNotePath({ id: publicId, colours }) };
}

const noteSchema = z.object({ merchantId: idSchema });

/** An approved merchant by either id. Throws not_found. */
async function approvedMerchant(db: Db, merchantId: string) {
  const merchant = await db.merchant.findFirst({
    where: { ...ofEitherId(merchantId), status: "approved" },
    select: { id: true, publicId: true, imageKey: true, colour: true },
  });
  if (!merchant) throw new DomainError("not_found");
  return merchant;
}

/** The ground of an approved merchant's heads. Throws not_found. */
export const noteGround = operation({
  permission: "public",
  input: noteSchema,
  errors: ["not_found"],
  readOnly: true,
  run: async (ctx, { merchantId }): Promise<NoteGround> =>
    noteGroundOf(ctx.db, await approvedMerchant(ctx.db, merchantId)),
});

// Anyone may request a note repeatedly, and drawing one is slow.
const drawn = remembering<Buffer>(64);

/** The note of an approved merchant as PNG; `plain` leaves its picture out. Throws not_found. */
export const notePng = operation({
  permission: "public",
  input: noteSchema.extend({ plain: z.boolean().default(false) }),
  readOnly: true,
  run: async (ctx, input): Promise<Buffer> => {
    const merchant = await approvedMerchant(ctx.db, input.merchantId);
    const imageKey = input.plain ? null : merchant.imageKey;
    const colours = await coloursOfMerchant(ctx.db, merchant);
    return drawn(versionOf({ imageKey, colours }), async () => {
      // An unreadable picture is omitted, as on the web card.
      const width = HERO.width * HERO.scale;
      const picture = imageKey && (await readImage(imageKey, { format: "png", width }).catch(() => null));
      return drawNote(colours, picture || null, HERO);
    });
  },
});
