import type { Context, PublicContext } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { MAX_UPLOAD_BYTES } from "@/lib/domain/uploads";
import { isKey } from "./storage/keys";
import { storage } from "./storage/store";

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
