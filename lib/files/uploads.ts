import { z } from "zod";
import type { Db } from "@/lib/db/client";
import type { Context, PublicContext } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import {
  type CreateUpload,
  createUploadSchema,
  MAX_UPLOAD_BYTES,
  MAX_UPLOAD_MB,
  normaliseContentType,
  readMediaSchema,
} from "@/lib/domain/uploads";
import { isKey, newKey, pendingKey, publicUrl, readUploadToken, type Storage } from "./objects";
import { storage } from "./storage";

export type UploadTicket = {
  /** Takes one PUT of the file with its content type, for five minutes. */
  presignedUrl: string;
  key: string;
  /** Where the file is served once it is attached. */
  fullUrl: string;
};

/** Prepares an upload straight to the store. Throws upload_too_large for a size named above 5 MB. */
export async function createUpload(ctx: PublicContext, input: CreateUpload): Promise<UploadTicket> {
  const { fileName, contentType, fileCategory, fileSize } = input;
  if (fileSize !== undefined && fileSize > MAX_UPLOAD_BYTES) {
    throw new DomainError("upload_too_large", { limit: MAX_UPLOAD_MB });
  }
  const key = newKey(fileCategory);
  const size = fileSize === undefined ? {} : { size: fileSize };
  await ctx.db.upload.create({
    data: {
      key,
      fileName,
      contentType,
      category: fileCategory,
      address: ctx.address,
      uploaderId: ctx.actor?.userId ?? null,
      ...size,
    },
    select: { id: true },
  });
  const presignedUrl = await storage().presign(pendingKey(key), { contentType, ...size });
  return { presignedUrl, key, fullUrl: publicUrl(key) };
}
createUpload.permission = "public" as const;
createUpload.input = createUploadSchema;
createUpload.errors = ["upload_too_large"] as const;

/** The token is the upload URL's own. */
const receiveUploadSchema = z.object({
  token: z.string().max(2000),
  contentType: z.string(),
  bytes: z.instanceof(Buffer),
});
export type ReceivedFile = z.output<typeof receiveUploadSchema>;

/**
 * Takes the file of an upload URL into the embedded store. Throws forbidden, as S3 answers, when the token is not
 * ours or too old, or the file is of another type or size than the token says.
 */
export async function receiveUpload(_ctx: PublicContext, input: ReceivedFile): Promise<null> {
  const store = storage();
  if (store.name !== "disk") throw new DomainError("not_found");
  const permit = readUploadToken(input.token);
  if (!permit || permit.contentType !== normaliseContentType(input.contentType))
    throw new DomainError("forbidden");
  if (permit.size !== undefined && permit.size !== input.bytes.length) throw new DomainError("forbidden");
  await store.write(permit.key, input.bytes, permit.contentType);
  return null;
}
receiveUpload.permission = "public" as const;
receiveUpload.input = receiveUploadSchema;
receiveUpload.errors = ["forbidden", "not_found"] as const;

const DAY = 24 * 60 * 60 * 1000;

/** Removes uploads that nobody attached within a day, and what was taken out of use. Answers how many. */
export async function removeStale(db: Db, store: Storage = storage(), now = new Date()): Promise<number> {
  const where = { attachedAt: null, createdAt: { lt: new Date(now.getTime() - DAY) } };
  const rows = await db.upload.findMany({ where, select: { id: true, key: true }, take: 200 });
  if (rows.length === 0) return 0;
  // The files first: a row without files is found again, files without a row never are.
  await store.remove(rows.flatMap(({ key }) => [key, pendingKey(key)]));
  const { count } = await db.upload.deleteMany({
    where: { ...where, id: { in: rows.map((row) => row.id) } },
  });
  return count;
}

export type MediaFile = { bytes: Buffer; contentType: string };
export type DocumentFile = MediaFile & { fileName: string };

/** A business image that is in use: anyone may see it. Throws not_found, for documents and unattached files too. */
export async function readMedia(ctx: PublicContext, { key }: { key: string }): Promise<MediaFile> {
  if (!isKey(key)) throw new DomainError("not_found");
  const row = await ctx.db.upload.findFirst({
    where: { key, category: "image", attachedAt: { not: null } },
    select: { contentType: true },
  });
  const bytes = row ? await storage().read(key, MAX_UPLOAD_BYTES) : null;
  if (!row || !bytes) throw new DomainError("not_found");
  return { bytes, contentType: row.contentType };
}
readMedia.permission = "public" as const;
readMedia.input = readMediaSchema;
readMedia.errors = ["not_found"] as const;

/** A document of a merchant's application, for administrators. Throws not_found. */
export async function readDocument(
  ctx: Context,
  input: { merchantId: string; documentId: string },
): Promise<DocumentFile> {
  authorize(ctx.actor, "merchants.read");
  const row = await ctx.db.upload.findFirst({
    where: {
      id: input.documentId,
      merchantId: input.merchantId,
      category: "document",
      attachedAt: { not: null },
    },
    select: { key: true, contentType: true, fileName: true },
  });
  const bytes = row ? await storage().read(row.key, MAX_UPLOAD_BYTES) : null;
  if (!row || !bytes) throw new DomainError("not_found");
  return { bytes, contentType: row.contentType, fileName: nameFor(row) };
}
readDocument.permission = "merchants.read" as const;

/** The name it came with, in letters that a header can carry and with the ending of what it is now. */
function nameFor({ fileName, contentType }: { fileName: string; contentType: string }): string {
  const stem = fileName
    .replace(/\.[^.]*$/, "")
    .replace(/[\p{Cc}"\\/<>:|?*]/gu, "_")
    .trim();
  return `${stem || "document"}.${contentType === "application/pdf" ? "pdf" : "webp"}`;
}
