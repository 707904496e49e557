import sharp from "sharp";
import type { PublicContext } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import { env } from "@/lib/env";
import { remembering } from "@/lib/observe/once";
import { operation } from "@/lib/operations/operation";
import { readMediaSchema } from "./model/upload-schemas";
import { MAX_UPLOAD_BYTES, SMALL_LOGOS } from "./model/uploads";
import { storage } from "./storage";
import { type MediaFile, readMedia } from "./uploads";

/** The share of the square that the picture fills. */
const FILLED = 0.84;
const WHITE = "#ffffff";

async function onSquare(bytes: Uint8Array, side: number): Promise<Buffer> {
  const inner = Math.round(side * FILLED);
  const before = Math.floor((side - inner) / 2);
  const after = side - inner - before;
  // A clear ground becomes white first: sharp flattens before it resizes.
  return sharp(bytes)
    .flatten({ background: WHITE })
    .resize(inner, inner, { fit: "contain", background: WHITE })
    .extend({ top: before, left: before, bottom: after, right: after, background: WHITE })
    .png()
    .toBuffer();
}

/** A logo as PNG, whole on a white square of this many pixels; null without one, or while the store is away. */
export async function readLogo(key: string | null, side: number): Promise<Buffer | null> {
  if (key === null) return null;
  try {
    const bytes = await storage().read(key, MAX_UPLOAD_BYTES);
    return bytes && (await onSquare(bytes, side));
  } catch {
    return null;
  }
}

/** How logos are drawn. Not all e-mail programs show WebP; a page shows a logo at most 48 pixels high, on three times as many dots. */
const DRAWINGS = {
  png: (bytes: Uint8Array) => onSquare(bytes, 256),
  webp: (bytes: Uint8Array) =>
    sharp(bytes)
      .resize({ width: 144, height: 144, fit: "inside", withoutEnlargement: true })
      .webp({ quality: 85 })
      .toBuffer(),
};

// Anyone may request a logo repeatedly, and drawing one is slow. The picture of a key never changes.
const drawn = remembering<Buffer>(128);

/** An attached image, drawn once. Throws not_found. */
async function drawnLogo(ctx: PublicContext, key: string, format: keyof typeof DRAWINGS): Promise<Buffer> {
  const { bytes } = await readMedia(ctx, { key });
  return drawn(`${format} ${key}`, () => DRAWINGS[format](bytes)).catch((cause: unknown) => {
    throw new DomainError("not_found", {}, [], { cause });
  });
}

/** An attached image as a square PNG of 256 pixels, for e-mails and Google Wallet. Throws not_found. */
export const logoPng = operation({
  permission: "public",
  input: readMediaSchema,
  readOnly: true,
  run: (ctx, { key }): Promise<Buffer> => drawnLogo(ctx, key, "png"),
});

/** A public business image; below `logos/` a small drawing. Throws not_found, also for unattached files. */
export const readPicture = operation({
  permission: "public",
  input: readMediaSchema,
  errors: ["not_found"],
  readOnly: true,
  run: async (ctx, { key }): Promise<MediaFile> => {
    if (!key.startsWith(SMALL_LOGOS)) return readMedia(ctx, { key });
    const bytes = await drawnLogo(ctx, key.replace(SMALL_LOGOS, "images/"), "webp");
    return { bytes, contentType: "image/webp" };
  },
});

/** Answers the address of logoPng, or undefined without a logo. */
export function logoUrl(key: string | null): string | undefined {
  const id = key && /[0-9a-f-]{36}/.exec(key)?.[0];
  return id ? `${env().APP_URL}/card/logo/${id}` : undefined;
}
