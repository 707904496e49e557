"use client";

import { UploadIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { apiFetch } from "@/components/session/session";
import { buttonVariants } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/components/ui/utils";
import { fileProblem, MAX_UPLOAD_MB, type UploadCategory } from "@/lib/domain/uploads";

/** Why an upload failed: a catalogue key with what fills it, or the server's own sentence. */
class UploadProblem extends Error {
  constructor(
    readonly key: string,
    readonly params: Record<string, string | number> = {},
  ) {
    super(key);
  }
}

type Ticket = { presignedUrl?: string; key?: string };

/** Asks for a URL and puts the file there. Answers the upload's key; throws UploadProblem, for an empty file too. */
async function upload(file: File, fileCategory: UploadCategory): Promise<string> {
  if (file.size === 0) throw new UploadProblem("upload.noFile");
  const response = await apiFetch("/api/auth/merchant/upload-url", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ fileName: file.name, contentType: file.type, fileCategory, fileSize: file.size }),
  });
  const answer = (await response.json().catch(() => ({}))) as { message?: string; data?: Ticket };
  if (!response.ok) throw new UploadProblem(answer.message ?? "upload.failed");
  const { presignedUrl, key } = answer.data ?? {};
  if (!presignedUrl || !key) throw new UploadProblem("upload.noUrl");
  const put = await fetch(presignedUrl, {
    method: "PUT",
    headers: { "Content-Type": file.type },
    body: file,
  });
  if (!put.ok) throw new UploadProblem("upload.failedStatus", { status: put.status });
  return key;
}

const IMAGES = ".jpg,.jpeg,.png,.gif,.webp,image/jpeg,image/png,image/gif,image/webp";
const ACCEPT: Record<UploadCategory, string> = { image: IMAGES, document: `${IMAGES},.pdf,application/pdf` };

/** Opens the browser's file chooser; keyboard and screen readers meet a file input. */
export function UploadButton({
  category,
  label,
  multiple = false,
  busy,
  describedBy,
  onFiles,
}: {
  category: UploadCategory;
  label: string;
  multiple?: boolean;
  busy: boolean;
  describedBy?: string;
  onFiles: (files: File[]) => void;
}) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      aria-busy={busy}
      className={cn(
        buttonVariants({ variant: "outline" }),
        "w-fit cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2",
        busy && "pointer-events-none opacity-60",
      )}
    >
      {busy ? <Spinner /> : <UploadIcon aria-hidden />}
      {label}
      <input
        id={id}
        type="file"
        accept={ACCEPT[category]}
        multiple={multiple}
        disabled={busy}
        aria-describedby={describedBy}
        className="sr-only"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // The same file may be chosen again after a refusal.
          event.target.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
    </label>
  );
}

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
