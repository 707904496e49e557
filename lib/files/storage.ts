import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { DomainError } from "@/lib/domain/errors";
import { MAX_UPLOAD_MB } from "@/lib/domain/uploads";
import { type Env, env } from "@/lib/env";
import { isKey, type Storage, signUpload, UPLOAD_SECONDS } from "./objects";

/** The embedded store: files in a folder, put through `uploadBase` (this site's own upload path). */
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
      // Written aside and renamed: a reader never meets half a file.
      const aside = `${path}.${randomUUID()}.part`;
      await writeFile(aside, bytes);
      await rename(aside, path);
    },
    async remove(keys) {
      for (const key of keys) await rm(pathOf(key), { force: true });
    },
  };
}

type S3Settings = Pick<
  Env,
  | "S3_BUCKET"
  | "S3_REGION"
  | "S3_ENDPOINT"
  | "S3_ACCESS_KEY_ID"
  | "S3_SECRET_ACCESS_KEY"
  | "S3_FORCE_PATH_STYLE"
>;

function clientOf(settings: S3Settings): S3Client {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  return new S3Client({
    region: settings.S3_REGION,
    forcePathStyle: settings.S3_FORCE_PATH_STYLE === "true",
    // A browser's PUT carries no checksum header, so none may be asked for in the signature.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    ...(settings.S3_ENDPOINT ? { endpoint: settings.S3_ENDPOINT } : {}),
    // Without keys the machine's own role is used.
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
  });
}

/** S3 or what speaks it. The bucket's public part, if it has one, is `images/`. */
function s3Storage(bucket: string, settings: S3Settings): Storage {
  const client = clientOf(settings);
  return {
    name: "s3",
    presign(key, { contentType, size }) {
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        ContentType: contentType,
        ...(size === undefined ? {} : { ContentLength: size }),
      });
      const signableHeaders = new Set([
        "host",
        "content-type",
        ...(size === undefined ? [] : ["content-length"]),
      ]);
      return getSignedUrl(client, command, { expiresIn: UPLOAD_SECONDS, signableHeaders });
    },
    async read(key, limit) {
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
    },
    async write(key, bytes, contentType) {
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: key,
          Body: bytes,
          ContentType: contentType,
          CacheControl: "public, max-age=31536000, immutable",
        }),
      );
    },
    async remove(keys) {
      if (keys.length === 0) return;
      const Objects = keys.map((Key) => ({ Key }));
      await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }));
    },
  };
}

type StorageSettings = S3Settings & Pick<Env, "DATA_DIR" | "APP_URL">;

/** The store that the settings choose: S3, or the data folder served by this site. */
function storageFor(settings: StorageSettings): Storage {
  if (settings.S3_BUCKET) return s3Storage(settings.S3_BUCKET, settings);
  const folder = resolve(/* turbopackIgnore: true */ settings.DATA_DIR, "media");
  return diskStorage(folder, `${settings.APP_URL.replace(/\/$/, "")}/api/media/upload`);
}

let chosen: Storage | undefined;

/** This process's store, chosen by environment at first use. */
export function storage(): Storage {
  chosen ??= storageFor(env());
  return chosen;
}
