import { resolve } from "node:path";
import { type Env, env } from "@/lib/env";
import { diskStorage } from "./disk";
import { type S3Settings, s3Storage } from "./s3";
import type { Storage } from "./types";

export type StorageSettings = S3Settings & Pick<Env, "DATA_DIR" | "APP_URL">;

/** The store that the settings choose: S3, or the data folder served by this site. */
export function storageFor(settings: StorageSettings): Storage {
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
