"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { fileProblem, MAX_UPLOAD_MB, type UploadCategory } from "@/lib/domain/uploads";
import { UploadProblem, upload } from "./upload";

export type Uploaded = { key: string; name: string; preview: string | null };

/** Files that go to the store as soon as they are chosen. `take` answers those that arrived. */
export function useUploads(category: UploadCategory) {
  const t = useTranslations();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const words = (key: string, params: Record<string, string | number> = {}) =>
    t.has(key as never) ? t(key as never, params as never) : key;

  async function take(files: File[]): Promise<Uploaded[]> {
    const refused = files.map((file) => fileProblem(file, category)).find((found) => found !== null);
    if (refused) {
      setProblem(words(refused, { limit: MAX_UPLOAD_MB }));
      return [];
    }
    setProblem(null);
    setBusy(true);
    const done: Uploaded[] = [];
    try {
      for (const file of files) {
        const key = await upload(file, category);
        const preview = file.type.startsWith("image/") ? URL.createObjectURL(file) : null;
        done.push({ key, name: file.name, preview });
      }
    } catch (error) {
      setProblem(error instanceof UploadProblem ? words(error.key, error.params) : words("upload.failed"));
    } finally {
      setBusy(false);
    }
    return done;
  }

  return { busy, problem, setProblem, take };
}
