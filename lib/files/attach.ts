import { fileTypeFromBuffer } from "file-type";
import sharp from "sharp";
import type { Db, Tx } from "@/lib/db/client";
import { DomainError } from "@/lib/domain/errors";
import { MAX_UPLOAD_BYTES, type UploadCategory } from "./model/uploads";
import { pictureColour } from "./picture-colour";
import { isKey, newKey, pendingKey, storage } from "./storage";

/** A checked file, stored under its final key but not served yet. Only checkUpload makes one. */
export type CheckedUpload = {
  id: string;
  key: string;
  contentType: string;
  size: number;
  /** The colour of an image, such as "#0f5257". */
  colour: string | null;
  readonly checked: unique symbol;
};

type Caller = { db: Db; actor: { userId: string } | null };

/**
 * Reads an upload, checks its content, and stores a safe copy under its final key. Call it before the transaction that
 * attaches the file, because it is slow. Throws upload_unknown (unknown key, no file, attached already, another user's,
 * older than 23 hours), upload_mismatch, upload_too_large.
 */
export async function checkUpload(
  { db, actor }: Caller,
  key: string,
  category: UploadCategory,
): Promise<CheckedUpload> {
  if (!isKey(key)) throw new DomainError("upload_unknown");
  const fresh = new Date(Date.now() - 23 * 60 * 60 * 1000);
  const uploaders = [{ uploaderId: null }, ...(actor ? [{ uploaderId: actor.userId }] : [])];
  const row = await db.upload.findFirst({
    where: { key, category, attachedAt: null, createdAt: { gt: fresh }, OR: uploaders },
    select: { id: true, contentType: true },
  });
  const bytes = row ? await storage().read(pendingKey(key), MAX_UPLOAD_BYTES) : null;
  if (!row || !bytes) throw new DomainError("upload_unknown");
  const { bytes: stored, ...safe } = await sanitizeFile(bytes, row.contentType, category);
  await storage().write(key, stored, safe.contentType);
  return { id: row.id, key, size: stored.length, ...safe } as CheckedUpload;
}

/** Attaches a checked file in this transaction. Throws upload_unknown when it was attached meanwhile. */
export async function attachUpload(tx: Tx, file: CheckedUpload, merchantId?: string): Promise<void> {
  const { id, contentType, size, colour } = file;
  const { count } = await tx.upload.updateMany({
    where: { id, attachedAt: null },
    data: { attachedAt: new Date(), contentType, size, colour, merchantId },
  });
  if (count === 0) throw new DomainError("upload_unknown");
}

/** Detaches a file in the caller's transaction; the next sweep removes it. */
export async function detachUpload(tx: Tx, key: string): Promise<void> {
  await tx.upload.updateMany({
    where: { key },
    data: { attachedAt: null, merchantId: null, createdAt: new Date(0) },
  });
}

/** Stores an image of the program itself (for seeds and tests) as attached. Answers its key. Throws upload_mismatch. */
export async function importImage(db: Db | Tx, bytes: Buffer, contentType: string): Promise<string> {
  const key = newKey("image");
  const { bytes: stored, ...safe } = await sanitizeFile(bytes, contentType, "image");
  await storage().write(key, stored, safe.contentType);
  const data = { key, fileName: "image", category: "image", size: stored.length, ...safe } as const;
  await db.upload.create({ data: { ...data, attachedAt: new Date() }, select: { id: true } });
  return key;
}

/** The longest side of a stored image in pixels. A document must stay readable. */
const MAX_SIDE_PIXELS: Record<UploadCategory, number> = { image: 1600, document: 2400 };
/** A small file can decode to a huge image (a decompression bomb), so the pixels are limited. */
const MAX_PIXELS = 50_000_000;

/** Checks the type. Encodes images as WebP, without metadata or hidden content. Throws upload_mismatch. */
async function sanitizeFile(bytes: Buffer, claimed: string, category: UploadCategory) {
  const found = await fileTypeFromBuffer(bytes);
  if (!found || found.mime !== claimed) throw new DomainError("upload_mismatch");
  if (claimed === "application/pdf") return { bytes, contentType: claimed, colour: null };
  const side = MAX_SIDE_PIXELS[category];
  try {
    const webp = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
      .rotate()
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
      .webp({ quality: 85 })
      .toBuffer();
    const colour = category === "image" ? await pictureColour(webp) : null;
    return { bytes: webp, contentType: "image/webp", colour };
  } catch (cause) {
    throw new DomainError("upload_mismatch", {}, [], { cause });
  }
}

/** Width and height in pixels. With both the image is cropped to fit; with one the other keeps the proportion. */
export type ImageShape = { format: "png" | "jpeg"; width?: number; height?: number };

/** An attached image as PNG or JPEG, for PDFs and passes; null when there is none. Throws upload_too_large. */
export async function readImage(key: string, { format, ...size }: ImageShape): Promise<Buffer | null> {
  const bytes = await storage().read(key, MAX_UPLOAD_BYTES);
  if (!bytes) return null;
  const picture = sharp(bytes).resize({ ...size, fit: "cover" });
  return format === "png"
    ? picture.png().toBuffer()
    : picture.flatten({ background: "#ffffff" }).jpeg({ quality: 88 }).toBuffer();
}
