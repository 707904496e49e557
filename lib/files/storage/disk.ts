import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DomainError } from "@/lib/domain/errors";
import { MAX_UPLOAD_MB } from "@/lib/domain/uploads";
import { isKey } from "./keys";
import type { Storage } from "./types";
import { signUpload } from "./upload-token";

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
