import { fileTypeFromBuffer } from "file-type";
import sharp from "sharp";
import type { Db, Tx } from "@/lib/db/client";
import { DomainError } from "@/lib/domain/errors";
import { MAX_UPLOAD_BYTES, type UploadCategory } from "@/lib/domain/uploads";
import { isKey, newKey, pendingKey, type Storage } from "./objects";
import { storage } from "./storage";

/** A file that stands where it will be served, and is not yet: only checkUpload makes one. */
export type CheckedUpload = { id: string; key: string; contentType: string; readonly checked: unique symbol };

type Asker = { db: Db; actor: { userId: string } | null };

/**
 * Reads an upload, proves that it is what it claims, and puts the safe copy in its place. It takes a moment, so call
 * it before the transaction that attaches the file.
 * Throws upload_unknown (never made, not put, attached already, someone else's, a day old), upload_mismatch,
 * upload_too_large.
 */
export async function checkUpload(
  { db, actor }: Asker,
  key: string,
  category: UploadCategory,
  store: Storage = storage(),
): Promise<CheckedUpload> {
  if (!isKey(key)) throw new DomainError("upload_unknown");
  const fresh = new Date(Date.now() - 23 * 60 * 60 * 1000);
  const uploaders = [{ uploaderId: null }, ...(actor ? [{ uploaderId: actor.userId }] : [])];
  const row = await db.upload.findFirst({
    where: { key, category, attachedAt: null, createdAt: { gt: fresh }, OR: uploaders },
    select: { id: true, contentType: true },
  });
  const bytes = row ? await store.read(pendingKey(key), MAX_UPLOAD_BYTES) : null;
  if (!row || !bytes) throw new DomainError("upload_unknown");
  const safe = await inspectFile(bytes, row.contentType, category);
  await store.write(key, safe.bytes, safe.contentType);
  return { id: row.id, key, contentType: safe.contentType } as CheckedUpload;
}

/**
 * Attaches a checked file within the caller's transaction: from its commit on it is served (an image) or shown to
 * administrators (a merchant's document). Throws upload_unknown when it was attached meanwhile.
 */
export async function attachUpload(tx: Tx, file: CheckedUpload, merchantId?: string): Promise<void> {
  const { count } = await tx.upload.updateMany({
    where: { id: file.id, attachedAt: null },
    data: { attachedAt: new Date(), contentType: file.contentType, ...(merchantId ? { merchantId } : {}) },
  });
  if (count === 0) throw new DomainError("upload_unknown");
}

/** Takes a file out of use within the caller's transaction; the sweep removes it. */
export async function detachUpload(tx: Tx, key: string): Promise<void> {
  await tx.upload.updateMany({
    where: { key },
    // As old as a forgotten one, so the next sweep finds it.
    data: { attachedAt: null, merchantId: null, createdAt: new Date(0) },
  });
}

/** Keeps a picture of our own making (a seed's) as an attached image. Answers its key. */
export async function importImage(
  db: Db | Tx,
  bytes: Buffer,
  contentType: string,
  store: Storage = storage(),
): Promise<string> {
  const key = newKey("image");
  const safe = await inspectFile(bytes, contentType, "image");
  await store.write(key, safe.bytes, safe.contentType);
  const data = {
    key,
    fileName: "image",
    contentType: safe.contentType,
    category: "image",
    attachedAt: new Date(),
  } as const;
  await db.upload.create({ data, select: { id: true } });
  return key;
}

/** The longest side of what is kept, in pixels. A document must stay readable. */
const LONGEST: Record<UploadCategory, number> = { image: 1600, document: 2400 };
/** Above this a small file is a trap: it would fill the memory when it is opened. */
const MAX_PIXELS = 50_000_000;

type SafeFile = { bytes: Buffer; contentType: string };

/**
 * A file made safe to keep: its bytes must be what was claimed; pictures are drawn anew (upright, at most 1600 pixels,
 * 2400 as a document, WebP, without metadata), so nothing hidden in them stays. Throws upload_mismatch.
 */
async function inspectFile(bytes: Buffer, claimed: string, category: UploadCategory): Promise<SafeFile> {
  const found = await fileTypeFromBuffer(bytes);
  if (!found || found.mime !== claimed) throw new DomainError("upload_mismatch");
  if (claimed === "application/pdf") return { bytes, contentType: claimed };
  const side = LONGEST[category];
  try {
    const drawn = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
      .rotate()
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
      .webp({ quality: 85 })
      .toBuffer();
    return { bytes: drawn, contentType: "image/webp" };
  } catch (cause) {
    throw new DomainError("upload_mismatch", {}, [], { cause });
  }
}

/** Pixels. Both given: filled and cut to fit; one given: the other follows. */
export type ImageShape = { format: "png" | "jpeg"; width?: number; height?: number };

/** An attached image by its key in a form that PDFs and passes take, or null when there is none. */
export async function readImage(
  key: string,
  { format, ...size }: ImageShape,
  store: Storage = storage(),
): Promise<Buffer | null> {
  const bytes = await store.read(key, MAX_UPLOAD_BYTES);
  if (!bytes) return null;
  const picture = sharp(bytes).resize({ ...size, fit: "cover" });
  return format === "png"
    ? picture.png().toBuffer()
    : picture.flatten({ background: "#ffffff" }).jpeg({ quality: 88 }).toBuffer();
}
