import type { PublicContext } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import { normaliseType } from "@/lib/domain/uploads";
import { storage } from "./storage/store";
import { readUploadToken } from "./storage/upload-token";

export type ReceivedFile = { token: string; contentType: string; bytes: Buffer };

/**
 * Takes the file of an upload URL into the embedded store. Throws forbidden, as S3 answers, when the token is not
 * ours or too old, or the file is of another type or size than the token says.
 */
export async function receiveUpload(_ctx: PublicContext, input: ReceivedFile): Promise<null> {
  const store = storage();
  if (store.name !== "disk") throw new DomainError("not_found");
  const permit = readUploadToken(input.token);
  if (!permit || permit.contentType !== normaliseType(input.contentType)) throw new DomainError("forbidden");
  if (permit.size !== undefined && permit.size !== input.bytes.length) throw new DomainError("forbidden");
  await store.write(permit.key, input.bytes, permit.contentType);
  return null;
}
receiveUpload.permission = "public" as const;
