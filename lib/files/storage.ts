import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { z } from "zod";
import { DomainError } from "@/lib/domain/errors";
import { type Env, env } from "@/lib/env";
import { acceptedMacs, macOf, secretsEqual } from "@/lib/secrets/secrets";
import { MAX_UPLOAD_MB, type UploadCategory } from "./model/uploads";

/** The content type an upload must have, and its exact size in bytes when the client named it. */
type UploadBounds = { contentType: string; size?: number };

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

const UPLOAD_SECONDS = 300;

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
  return until * 1000 < now ? null : { key, contentType: type, size };
}

/** A store on disk: files in a folder, uploaded to `uploadBase`, the upload path of this site. */
export function diskStorage(folder: string, uploadBase: string): Storage {
  function pathOf(key: string): string {
    if (!isKey(key)) throw new DomainError("upload_unknown");
    return join(folder, key);
  }
  return {
    name: "disk",
    presign: async (key, bounds) => `${uploadBase}/${signUpload(key, bounds)}`,
    async read(key, limit) {
      const file = await open(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      });
      if (!file) return null;
      try {
        if ((await file.stat()).size > limit)
          throw new DomainError("upload_too_large", { limit: MAX_UPLOAD_MB });
        return await file.readFile();
      } finally {
        await file.close();
      }
    },
    async write(key, bytes) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true });
      // A rename is atomic, so a reader never sees half a file.
      const temporary = `${path}.${randomUUID()}.part`;
      await writeFile(temporary, bytes);
      await rename(temporary, path);
    },
    async remove(keys) {
      for (const key of keys) await rm(pathOf(key), { force: true });
    },
  };
}

type S3Settings = Pick<Env, Extract<keyof Env, `S3_${string}`>>;

/** Milliseconds for a connection, for the answer's beginning, and of silence on a connection; then one more attempt. */
const PATIENCE = { connectionTimeout: 2_000, requestTimeout: 5_000, socketTimeout: 5_000 };
const ATTEMPTS = 2;
const RETRY_SECONDS = 5;

function createClient(settings: S3Settings, patience: typeof PATIENCE): S3Client {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  return new S3Client({
    region: settings.S3_REGION,
    forcePathStyle: settings.S3_FORCE_PATH_STYLE === "true",
    maxAttempts: ATTEMPTS,
    // Without these the SDK waits for a silent store without end.
    requestHandler: { ...patience, throwOnRequestTimeout: true },
    // A browser's PUT has no checksum header, so the signature must not require one.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    ...(settings.S3_ENDPOINT ? { endpoint: settings.S3_ENDPOINT } : {}),
    // Without keys the SDK uses the machine's role.
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
  });
}

/** Does the work with the store; throws unavailable when the store is away, silent, or sends an unreadable answer. */
async function reaching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // An answer of the store's own, such as a refusal, is a fault of the settings.
    const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 500) : 500;
    if (error instanceof DomainError || status < 500) throw error;
    throw new DomainError("unavailable", { seconds: RETRY_SECONDS }, [], { cause: error });
  }
}

/** A store on S3 or a compatible service. Only `images/` of the bucket may be public. */
export function s3Storage(bucket: string, settings: S3Settings, patience = PATIENCE): Storage {
  const client = createClient(settings, patience);
  return {
    name: "s3",
    presign(key, { contentType, size }) {
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        ContentType: contentType,
        ContentLength: size,
      });
      const signableHeaders = new Set([
        "host",
        "content-type",
        ...(size === undefined ? [] : ["content-length"]),
      ]);
      return getSignedUrl(client, command, { expiresIn: UPLOAD_SECONDS, signableHeaders });
    },
    read: (key, limit) =>
      reaching(async () => {
        try {
          const { Body, ContentLength = 0 } = await client.send(
            new GetObjectCommand({ Bucket: bucket, Key: key }),
          );
          if (ContentLength > limit) throw new DomainError("upload_too_large", { limit: MAX_UPLOAD_MB });
          return Body ? Buffer.from(await Body.transformToByteArray()) : null;
        } catch (error) {
          if (error instanceof NoSuchKey) return null;
          throw error;
        }
      }),
    async write(key, bytes, contentType) {
      const file = { Bucket: bucket, Key: key, Body: bytes, ContentType: contentType };
      const command = new PutObjectCommand({ ...file, CacheControl: "public, max-age=31536000, immutable" });
      await reaching(() => client.send(command));
    },
    async remove(keys) {
      if (keys.length === 0) return;
      const Objects = keys.map((Key) => ({ Key }));
      const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } });
      await reaching(async () => {
        const { Errors: [kept] = [] } = await client.send(command);
        if (kept) throw new Error(`S3 kept ${kept.Key}: ${kept.Code}`);
      });
    },
  };
}

let current: Storage | undefined;

/** The store of this process, selected on first use: S3 when a bucket is set, else the data folder. */
export function storage(): Storage {
  const settings = env();
  const folder = resolve(/* turbopackIgnore: true */ settings.DATA_DIR, "media");
  current ??= settings.S3_BUCKET
    ? s3Storage(settings.S3_BUCKET, settings)
    : diskStorage(folder, `${settings.APP_URL.replace(/\/$/, "")}/api/media/upload`);
  return current;
}
