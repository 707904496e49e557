"use client";

import { UploadIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useId, useRef, useState } from "react";
import { leaveIfSignedOut } from "@/components/accounts/session/session";
import { buttonVariants } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/components/ui/utils";
import { api } from "@/lib/api/client";
import { TUNNEL_HEADER } from "@/lib/domain/paths";
import { fileProblem, MAX_UPLOAD_MB, type UploadCategory } from "@/lib/files/model/uploads";

/** Why an upload failed: `key` is a catalogue key, filled with `params`, or the server's message. */
class UploadError extends Error {
  constructor(
    readonly key: string,
    readonly params: Record<string, string | number> = {},
  ) {
    super(key);
  }
}

/** Requests an upload URL and puts the file there. Answers the upload's key. Throws UploadError, also for an empty file. */
async function upload(file: File, fileCategory: UploadCategory): Promise<string> {
  if (file.size === 0) throw new UploadError("upload.noFile");
  const { name: fileName, type: contentType, size: fileSize } = file;
  const ticket = { fileName, contentType, fileCategory, fileSize };
  const call = import("@/lib/files/names").then(({ fileCalls }) => fileCalls.createUpload);
  const answer = leaveIfSignedOut(await api(call, ticket));
  if (answer.kind !== "ok") throw new UploadError(answer.message || "upload.failed");
  const { presignedUrl, key } = answer.data;
  if (!presignedUrl || !key) throw new UploadError("upload.noUrl");
  // A store elsewhere allows no further header.
  const own = new URL(presignedUrl, window.location.href).origin === window.location.origin;
  const put = await fetch(presignedUrl, {
    method: "PUT",
    headers: { "Content-Type": file.type, ...(own ? TUNNEL_HEADER : {}) },
    body: file,
  });
  // A proxy in front of the store may have a lower limit than ours, and does not say which.
  if (put.status === 413) throw new UploadError("upload.tooLarge");
  if (!put.ok) throw new UploadError("upload.failedStatus", { status: put.status });
  return key;
}

const IMAGES = ".jpg,.jpeg,.png,.gif,.webp,image/jpeg,image/png,image/gif,image/webp";
const ACCEPT: Record<UploadCategory, string> = { image: IMAGES, document: `${IMAGES},.pdf,application/pdf` };

/** Opens the browser's file chooser; for keyboards and screen readers it is a file input. */
export function UploadButton({
  category,
  label,
  multiple = false,
  busy,
  describedBy,
  onFiles,
  onNone,
}: {
  category: UploadCategory;
  label: string;
  multiple?: boolean;
  busy: boolean;
  describedBy?: string;
  onFiles: (files: File[]) => void;
  /** The chooser was closed without a file. */
  onNone: () => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const latestOnNone = useRef(onNone);
  latestOnNone.current = onNone;
  // React has no event for it on inputs.
  useEffect(() => {
    const element = input.current;
    const cancelled = () => latestOnNone.current();
    element?.addEventListener("cancel", cancelled);
    return () => element?.removeEventListener("cancel", cancelled);
  }, []);
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
        ref={input}
        id={id}
        type="file"
        accept={ACCEPT[category]}
        multiple={multiple}
        disabled={busy}
        aria-describedby={describedBy}
        className="sr-only"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // Reset, so that the same file can be chosen again after a refusal.
          event.target.value = "";
          if (files.length > 0) onFiles(files);
          else latestOnNone.current();
        }}
      />
    </label>
  );
}

export type Uploaded = { key: string; name: string; preview: string | null };

/** Uploads files as soon as they are chosen. `uploadAll` answers those that succeeded. */
export function useUploads(category: UploadCategory) {
  const t = useTranslations();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const textOf = (key: string, params: Record<string, string | number> = {}) =>
    t.has(key as never) ? t(key as never, params as never) : key;

  async function uploadAll(files: File[]): Promise<Uploaded[]> {
    const refused = files.map((file) => fileProblem(file, category)).find((found) => found !== null);
    if (refused) {
      setProblem(textOf(refused, { limit: MAX_UPLOAD_MB }));
      return [];
    }
    setProblem(null);
    setBusy(true);
    const uploaded: Uploaded[] = [];
    try {
      for (const file of files) {
        const key = await upload(file, category);
        const preview = file.type.startsWith("image/") ? URL.createObjectURL(file) : null;
        uploaded.push({ key, name: file.name, preview });
      }
    } catch (error) {
      setProblem(error instanceof UploadError ? textOf(error.key, error.params) : textOf("upload.failed"));
    } finally {
      setBusy(false);
    }
    return uploaded;
  }

  return { busy, problem, setProblem, uploadAll, refuseNone: () => setProblem(textOf("upload.none")) };
}
