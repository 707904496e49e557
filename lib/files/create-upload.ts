import type { PublicContext } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import type { CreateUpload } from "@/lib/domain/schemas/upload";
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_MB } from "@/lib/domain/uploads";
import { newKey, pendingKey, publicUrl } from "./storage/keys";
import { storage } from "./storage/store";

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
