import sharp from "sharp";
import { DomainError } from "@/lib/domain/errors";
import { env } from "@/lib/env";
import { operation } from "@/lib/operations/operation";
import { readMediaSchema } from "./model/upload-schemas";
import { MAX_UPLOAD_BYTES } from "./model/uploads";
import type { Storage } from "./objects";
import { storage } from "./storage";
import { readMedia } from "./uploads";

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
export async function readLogo(key: string | null, side: number, store?: Storage): Promise<Buffer | null> {
  if (key === null) return null;
  try {
    const bytes = await (store ?? storage()).read(key, MAX_UPLOAD_BYTES);
    return bytes && (await onSquare(bytes, side));
  } catch {
    return null;
  }
}

/** Pixels of the logo that e-mails and Google Wallet load. */
const SIDE = 256;

/** How many drawn logos are kept. */
const KEPT = 64;
// Anyone may request a logo repeatedly, and drawing one is slow. The picture of a key never changes.
const drawn = new Map<string, Promise<Buffer>>();

function drawnOnce(key: string, bytes: Uint8Array): Promise<Buffer> {
  const png = drawn.get(key) ?? onSquare(bytes, SIDE);
  // Moves it to the end, because the oldest is removed first.
  drawn.delete(key);
  drawn.set(key, png);
  const [oldest = ""] = drawn.keys();
  if (drawn.size > KEPT) drawn.delete(oldest);
  return png;
}

/** An attached image as a square PNG: e-mail programs do not all show WebP. Throws not_found. */
export const logoPng = operation({
  permission: "public",
  input: readMediaSchema,
  readOnly: true,
  run: async (ctx, input): Promise<Buffer> => {
    const { bytes } = await readMedia(ctx, input);
    return drawnOnce(input.key, bytes).catch((cause: unknown) => {
      drawn.delete(input.key);
      throw new DomainError("not_found", {}, [], { cause });
    });
  },
});

/** Answers the address of logoPng, or undefined without a logo. */
export function logoUrl(key: string | null): string | undefined {
  const id = key && /[0-9a-f-]{36}/.exec(key)?.[0];
  return id ? `${env().APP_URL}/card/logo/${id}` : undefined;
}
