import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { UploadCategory } from "@/lib/domain/uploads";
import { env } from "@/lib/env";

/** What an upload may be: its content type, and its exact size in bytes when that was named. */
export type UploadBounds = { contentType: string; size?: number };

/** Where files are kept. Keys are ours, never a person's file name. */
export type Storage = {
  name: "s3" | "disk";
  /** A URL that takes one PUT of such a file, for five minutes. */
  presign(key: string, bounds: UploadBounds): Promise<string>;
  /** The file's bytes, or null when there is none. Throws upload_too_large past `limit` bytes. */
  read(key: string, limit: number): Promise<Buffer | null>;
  write(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** Removing what is not there is fine. */
  remove(keys: string[]): Promise<void>;
};

/** How long an upload URL is good for, in seconds. */
export const UPLOAD_SECONDS = 300;

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

const claimsSchema = z.object({
  key: z.string(),
  type: z.string(),
  size: z.number().optional(),
  /** Seconds since 1970. */
  until: z.number(),
});

const seal = (body: string) =>
  createHmac("sha256", `upload:${env().AUTH_SECRET}`).update(body).digest("base64url");

/** A signed permission to put one file of this type (and size, when named) at this key. */
export function signUpload(key: string, { contentType, size }: UploadBounds, now = Date.now()): string {
  const until = Math.floor(now / 1000) + UPLOAD_SECONDS;
  const claims = JSON.stringify({ key, type: contentType, size, until });
  const body = Buffer.from(claims).toString("base64url");
  return `${body}.${seal(body)}`;
}

/** What a token permits, or null when it is not ours, was changed or is too old. */
export function readUploadToken(token: string, now = Date.now()): (UploadBounds & { key: string }) | null {
  const [body = "", signature = ""] = token.split(".");
  const expected = Buffer.from(seal(body));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const { key, type, size, until } = claimsSchema.parse(
    JSON.parse(Buffer.from(body, "base64url").toString()),
  );
  return until * 1000 < now ? null : { key, contentType: type, ...(size === undefined ? {} : { size }) };
}
