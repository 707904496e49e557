import { randomUUID } from "node:crypto";
import type { UploadCategory } from "@/lib/domain/uploads";
import { env } from "@/lib/env";

const KEY = /^(?:pending|images|documents)\/[0-9a-f-]{36}(?:\.webp)?$/;

/** Whether a text has the shape of one of our keys: only these ever become paths. */
export const isKey = (key: string): boolean => KEY.test(key);

/** A new file's key: where it will stand once it is attached. */
export function newKey(category: UploadCategory): string {
  return category === "image" ? `images/${randomUUID()}.webp` : `documents/${randomUUID()}`;
}

/** Where the file of a key waits until it is attached: a place that nothing serves. */
export function pendingKey(key: string): string {
  return `pending/${key.replace(/^\w+\//, "").replace(/\.webp$/, "")}`;
}

/** The public address of an attached image: the media base and its key. */
export function publicUrl(key: string): string {
  const { MEDIA_BASE_URL, APP_URL } = env();
  return `${(MEDIA_BASE_URL ?? `${APP_URL}/api/media`).replace(/\/+$/, "")}/${key}`;
}
