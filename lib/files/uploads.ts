import { z } from "zod";
import { audit } from "@/lib/audit/audit";
import type { Db } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import type { UserActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { idSchema } from "@/lib/domain/ids";
import { operation } from "@/lib/operations/operation";
import { publicUrl } from "./media-url";
import { type CreateUpload, createUploadSchema, readMediaSchema } from "./model/upload-schemas";
import {
  MAX_UPLOAD_BYTES,
  MAX_UPLOAD_MB,
  MERCHANT_QUOTA_BYTES,
  MERCHANT_QUOTA_MB,
  normaliseContentType,
} from "./model/uploads";
import { isKey, newKey, pendingKey, readUploadToken, storage } from "./storage";

const PER_PERSON: GuardLimit = { name: "uploads", points: 20, seconds: 60 * 60 };

/** The keys that an upload counts for. A pending owner, whom anybody can become, counts by address too. */
function uploaderKeys({ actor, address }: PublicContext): string[] {
  if (!actor) return [address];
  const approved = actor.merchantStatus === null || actor.merchantStatus === "approved";
  return approved ? [actor.userId] : [actor.userId, address];
}

/** Stores an upload's row within the merchant's 100 MB; an unknown size counts as the largest. Throws upload_quota. */
async function insertUpload(ctx: PublicContext, key: string, input: CreateUpload): Promise<void> {
  const { fileName, contentType, fileCategory, fileSize = null } = input;
  const uploader: UserActor | null = ctx.actor;
  const merchantId = uploader?.merchantId ?? null;
  const stored = await ctx.db.$transaction(async (tx) => {
    // The uploads of a merchant are counted one after another: the next statement sees those before it.
    if (merchantId)
      await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('uploads'), hashtext(${merchantId}))`;
    return tx.$executeRaw`
      insert into uploads (key, file_name, content_type, category, size, address, uploader_id)
      select ${key}, ${fileName}, ${normaliseContentType(contentType)}, ${fileCategory}::"UploadCategory", ${fileSize}::int, ${ctx.address},
        ${uploader?.userId ?? null}::uuid
      where ${merchantId}::uuid is null or ${fileSize ?? MAX_UPLOAD_BYTES}::int + (
        select coalesce(sum(coalesce(size, ${MAX_UPLOAD_BYTES}::int)), 0) from uploads
        where merchant_id = ${merchantId}::uuid
          or uploader_id in (select id from users where merchant_id = ${merchantId}::uuid)
      ) <= ${MERCHANT_QUOTA_BYTES}::int`;
  });
  if (stored === 0) throw new DomainError("upload_quota", { limit: MERCHANT_QUOTA_MB });
}

/** Prepares an upload from the client directly to the store. Throws rate_limited above 20 uploads an hour. */
export const createUpload = operation({
  permission: "public",
  input: createUploadSchema,
  errors: ["upload_too_large", "upload_quota"],
  run: async (ctx, input) => {
    const { contentType, fileCategory, fileSize } = input;
    if (fileSize !== undefined && fileSize > MAX_UPLOAD_BYTES) {
      throw new DomainError("upload_too_large", { limit: MAX_UPLOAD_MB });
    }
    const key = newKey(fileCategory);
    for (const key of uploaderKeys(ctx)) await consume(ctx.db, PER_PERSON, key);
    await insertUpload(ctx, key, input);
    const presignedUrl = await storage().presign(pendingKey(key), { contentType, size: fileSize });
    return { presignedUrl, key, fullUrl: publicUrl(key) };
  },
});

/** Stores the file of an upload URL on disk, if its token allows the type and the size; not_found with S3. */
export const receiveUpload = operation({
  permission: "public",
  input: z.object({
    token: z.string().max(2000),
    contentType: z.string(),
    bytes: z.instanceof(Buffer),
  }),
  errors: ["forbidden", "not_found"],
  run: async (_ctx, input): Promise<null> => {
    const store = storage();
    if (store.name !== "disk") throw new DomainError("not_found");
    const permit = readUploadToken(input.token);
    if (!permit || normaliseContentType(permit.contentType) !== normaliseContentType(input.contentType))
      throw new DomainError("forbidden");
    if (permit.size !== undefined && permit.size !== input.bytes.length) throw new DomainError("forbidden");
    await store.write(permit.key, input.bytes, permit.contentType);
    return null;
  },
});

const DAY = 24 * 60 * 60 * 1000;

/** Removes up to 200 detached uploads and uploads not attached within a day. Answers how many it removed. */
export async function removeStaleUploads(db: Db, now = new Date()): Promise<number> {
  const where = { attachedAt: null, createdAt: { lt: new Date(now.getTime() - DAY) } };
  const rows = await db.upload.findMany({ where, select: { id: true, key: true }, take: 200 });
  if (rows.length === 0) return 0;
  // Files first: a row without files is removed by a later sweep, but files without a row would stay.
  await storage().remove(rows.flatMap(({ key }) => [key, pendingKey(key)]));
  const { count } = await db.upload.deleteMany({
    where: { ...where, id: { in: rows.map((row) => row.id) } },
  });
  return count;
}

export type MediaFile = { bytes: Buffer; contentType: string };
export type DocumentFile = MediaFile & { fileName: string };

/** An attached business image, which is public. Throws not_found, also for documents and unattached files. */
export const readMedia = operation({
  permission: "public",
  input: readMediaSchema,
  errors: ["not_found"],
  readOnly: true,
  run: async (ctx, { key }): Promise<MediaFile> => {
    if (!isKey(key)) throw new DomainError("not_found");
    const row = await ctx.db.upload.findFirst({
      where: { key, category: "image", attachedAt: { not: null } },
      select: { contentType: true },
    });
    const bytes = row ? await storage().read(key, MAX_UPLOAD_BYTES) : null;
    if (!row || !bytes) throw new DomainError("not_found");
    return { bytes, contentType: row.contentType };
  },
});

/** A document of a merchant's application. For administrators. Throws not_found. */
export const readDocument = operation({
  permission: "merchants.read",
  input: z.object({ merchantId: idSchema, documentId: idSchema }),
  readOnly: true,
  run: async (ctx, input): Promise<DocumentFile> => {
    const { merchantId, documentId } = input;
    const row = await ctx.db.upload.findFirst({
      where: { id: documentId, merchantId, category: "document", attachedAt: { not: null } },
      select: { key: true, contentType: true, fileName: true },
    });
    const bytes = row ? await storage().read(row.key, MAX_UPLOAD_BYTES) : null;
    if (!row || !bytes) throw new DomainError("not_found");
    const about = { merchantId, entity: "merchant", entityId: merchantId } as const;
    await audit(ctx.db, ctx, { action: "merchant.document", ...about, after: { documentId } });
    return { bytes, contentType: row.contentType, fileName: downloadName(row) };
  },
});

/** The uploaded file name, without characters that are unsafe in a header, with the extension of the stored type. */
function downloadName({ fileName, contentType }: { fileName: string; contentType: string }): string {
  const stem = fileName
    .replace(/\.[^.]*$/, "")
    .replace(/[\p{Cc}"\\/<>:|?*]/gu, "_")
    .trim();
  return `${stem || "document"}.${contentType === "application/pdf" ? "pdf" : "webp"}`;
}
