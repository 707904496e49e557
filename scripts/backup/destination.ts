import { createReadStream, createWriteStream, existsSync, readdirSync, statSync } from "node:fs";
import { copyFile, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";

type Settings = Record<string, string | undefined>;

/** A place for backups. It keeps files by name, such as `wal/000000010000000000000003.gz`. */
export type Destination = {
  name: string;
  /** The names that start with `prefix`, in order. With `parts` also of files that a killed copy left behind. */
  list(prefix: string, options?: { parts: boolean }): Promise<string[]>;
  /** Copies a local file there. A name appears only when it is whole. */
  put(name: string, file: string): Promise<void>;
  get(name: string, file: string): Promise<void>;
  remove(name: string): Promise<void>;
};

/** Writes a file's content to the disk before its name is relied on. */
async function sync(file: string): Promise<void> {
  const handle = await open(file, "r");
  await handle.sync().finally(() => handle.close());
}

function folderDestination(root: string): Destination {
  const walk = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? walk(join(folder, entry.name)) : [relative(root, join(folder, entry.name))],
    );
  return {
    name: root,
    list: async (prefix, { parts } = { parts: false }) =>
      existsSync(root)
        ? walk(root)
            .filter((name) => name.startsWith(prefix) && (parts || !name.endsWith(".part")))
            .sort()
        : [],
    async put(name, file) {
      const target = join(root, name);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await copyFile(file, `${target}.part`);
      await sync(`${target}.part`);
      await rename(`${target}.part`, target);
    },
    get: (name, file) => copyFile(join(root, name), file),
    remove: (name) => rm(join(root, name), { force: true }),
  };
}

function s3Destination(url: URL, settings: Settings): Destination {
  const Bucket = url.hostname;
  const root = url.pathname.replace(/^\/|\/$/g, "");
  const keyOf = (name: string) => (root ? `${root}/${name}` : name);
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  const client = new S3Client({
    region: settings.S3_REGION || "us-east-1",
    endpoint: settings.S3_ENDPOINT || undefined,
    // Else the body is sent with a checksum behind it, which not every S3 server takes off again.
    requestChecksumCalculation: "WHEN_REQUIRED",
    forcePathStyle: settings.S3_FORCE_PATH_STYLE === "true",
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
  });
  return {
    name: url.href,
    async list(prefix) {
      const names: string[] = [];
      for (let ContinuationToken: string | undefined; ; ) {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket, Prefix: keyOf(prefix), ContinuationToken }),
        );
        for (const { Key = "" } of page.Contents ?? []) names.push(root ? Key.slice(root.length + 1) : Key);
        ContinuationToken = page.NextContinuationToken;
        if (!ContinuationToken) return names.sort();
      }
    },
    async put(name, file) {
      const Body = createReadStream(file);
      await client.send(
        new PutObjectCommand({ Bucket, Key: keyOf(name), Body, ContentLength: statSync(file).size }),
      );
    },
    async get(name, file) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: keyOf(name) }));
      await pipeline(Body as Readable, createWriteStream(file, { mode: 0o600 }));
    },
    async remove(name) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(name) }));
    },
  };
}

/**
 * The destination that `to` names: a folder, or `s3://bucket/prefix` with the S3_* settings of the file store (without
 * keys, those that the AWS client finds by itself).
 */
export function destinationOf(to: string, settings: Settings): Destination {
  return to.startsWith("s3://") ? s3Destination(new URL(to), settings) : folderDestination(resolve(to));
}
