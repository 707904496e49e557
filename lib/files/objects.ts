import { randomUUID } from "node:crypto";
import { z } from "zod";
import { acceptedMacs, macOf } from "@/lib/secrets/keys";
import { secretsEqual } from "@/lib/secrets/secrets";
import type { UploadCategory } from "./model/uploads";

/** The content type an upload must have, and its exact size in bytes when the client named it. */
export type UploadBounds = { contentType: string; size?: number };

/** A file store. Keys are generated, never a user's file name. */
export type Storage = {
  name: "s3" | "disk";
  /** A URL that accepts one PUT of such a file for UPLOAD_SECONDS. */
  presign(key: string, bounds: UploadBounds): Promise<string>;
  /** The file's bytes, or null when there is none. Throws upload_too_large above `limit` bytes. */
  read(key: string, limit: number): Promise<Buffer | null>;
  write(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** Removes files; missing ones are ignored. */
  remove(keys: string[]): Promise<void>;
};

/** Lifetime of an upload URL, in seconds. */
export const UPLOAD_SECONDS = 300;

const KEY = /^(?:pending|images|documents)\/[0-9a-f-]{36}(?:\.webp)?$/;

/** Whether a text has the format of a key. Only keys become paths. */
export const isKey = (key: string): boolean => KEY.test(key);

/** A new key, under which the file is stored once it is checked. */
export function newKey(category: UploadCategory): string {
  return category === "image" ? `images/${randomUUID()}.webp` : `documents/${randomUUID()}`;
}

/** The key under which an upload is stored until it is checked; nothing serves it. */
export function pendingKey(key: string): string {
  return `pending/${key.replace(/^\w+\//, "").replace(/\.webp$/, "")}`;
}

const claimsSchema = z.object({
  key: z.string(),
  type: z.string(),
  size: z.number().optional(),
  /** Seconds since 1970. */
  until: z.number(),
});

/** A signed token that allows one PUT of a file of this type (and size, when named) under this key. */
export function signUpload(key: string, { contentType, size }: UploadBounds, now = Date.now()): string {
  const until = Math.floor(now / 1000) + UPLOAD_SECONDS;
  const claims = JSON.stringify({ key, type: contentType, size, until });
  const body = Buffer.from(claims).toString("base64url");
  return `${body}.${macOf("uploads", body).toString("base64url")}`;
}

/** The key and bounds a token allows; null when the token is invalid or expired. */
export function readUploadToken(token: string, now = Date.now()): (UploadBounds & { key: string }) | null {
  const [body = "", signature = ""] = token.split(".");
  const good = acceptedMacs("uploads", body).some((mac) =>
    secretsEqual(signature, mac.toString("base64url")),
  );
  if (!good) return null;
  const { key, type, size, until } = claimsSchema.parse(
    JSON.parse(Buffer.from(body, "base64url").toString()),
  );
  return until * 1000 < now ? null : { key, contentType: type, ...(size === undefined ? {} : { size }) };
}
