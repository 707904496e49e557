import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { env } from "@/lib/env";
import { UPLOAD_SECONDS, type UploadBounds } from "./types";

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
