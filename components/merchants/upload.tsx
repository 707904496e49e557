"use client";

import { FileTextIcon, ImageIcon, UploadIcon, XIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type RefCallback, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useController } from "react-hook-form";
import { leaveIfSignedOut } from "@/components/accounts/session/session";
import { useFieldError } from "@/components/forms/field";
import { FieldError } from "@/components/forms/field-error";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/components/ui/utils";
import { api } from "@/lib/api/client";
import { TUNNEL_HEADER } from "@/lib/domain/paths";
import { fileProblem, MAX_DOCUMENTS, MAX_UPLOAD_MB, type UploadCategory } from "@/lib/files/model/uploads";

// Its message is in the reader's language.
class UploadError extends Error {}

type Texts = ReturnType<typeof useTranslations<"upload">>;

/** Requests an upload URL and puts the file there. Answers the upload's key. Throws UploadError, also for an empty file. */
async function upload(file: File, fileCategory: UploadCategory, t: Texts): Promise<string> {
  if (file.size === 0) throw new UploadError(t("noFile"));
  const { name: fileName, type: contentType, size: fileSize } = file;
  const ticket = { fileName, contentType, fileCategory, fileSize };
  const call = import("@/lib/files/names").then(({ fileCalls }) => fileCalls.createUpload);
  const answer = leaveIfSignedOut(await api(call, ticket));
  if (answer.kind !== "ok") throw new UploadError(answer.message || t("failed"));
  const { presignedUrl, key } = answer.data;
  if (!presignedUrl || !key) throw new UploadError(t("noUrl"));
  // A store elsewhere allows no further header.
  const own = new URL(presignedUrl, window.location.href).origin === window.location.origin;
  const put = await fetch(presignedUrl, {
    method: "PUT",
    headers: { "Content-Type": file.type, ...(own ? TUNNEL_HEADER : {}) },
    body: file,
  });
  // A proxy in front of the store may have a lower limit than ours, and does not say which.
  if (put.status === 413) throw new UploadError(t("tooLarge"));
  if (!put.ok) throw new UploadError(t("failedStatus", { status: put.status }));
  return key;
}

const IMAGES = ".jpg,.jpeg,.png,.gif,.webp,image/jpeg,image/png,image/gif,image/webp";
const ACCEPT: Record<UploadCategory, string> = { image: IMAGES, document: `${IMAGES},.pdf,application/pdf` };

/** `onNone`: the chooser was closed without a file. */
function UploadButton({
  category,
  label,
  multiple = false,
  busy,
  describedBy,
  inputRef,
  onFiles,
  onNone,
}: {
  category: UploadCategory;
  label: string;
  multiple?: boolean;
  busy: boolean;
  describedBy: string;
  inputRef: RefCallback<HTMLInputElement>;
  onFiles: (files: File[]) => void;
  onNone: () => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const whenCancelled = useEffectEvent(onNone);
  // React has no event for it on inputs.
  useEffect(() => {
    const element = input.current;
    const cancelled = () => whenCancelled();
    element?.addEventListener("cancel", cancelled);
    return () => element?.removeEventListener("cancel", cancelled);
  }, []);
  return (
    <label
      htmlFor={id}
      aria-busy={busy}
      className={cn(
        "btn btn-outline btn-md w-fit cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2",
        busy && "pointer-events-none opacity-60",
      )}
    >
      {busy ? <Spinner /> : <UploadIcon aria-hidden />}
      {label}
      <input
        ref={(element) => {
          input.current = element;
          inputRef(element);
        }}
        id={id}
        type="file"
        accept={ACCEPT[category]}
        multiple={multiple}
        // Not disabled, which would take the focus away.
        aria-disabled={busy || undefined}
        aria-describedby={describedBy}
        className="sr-only"
        onClick={(event) => busy && event.preventDefault()}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // Reset, so that the same file can be chosen again after a refusal.
          event.target.value = "";
          if (files.length > 0) onFiles(files);
          else onNone();
        }}
      />
    </label>
  );
}

type Uploaded = { key: string; name: string; preview: string | null };

/** A field whose files are uploaded as soon as they are chosen. `uploadAll` answers those that succeeded. */
function useUploads(category: UploadCategory, name: string, onBusy: (busy: boolean) => void) {
  const t = useTranslations();
  const texts = useTranslations("upload");
  const id = useId();
  const { field } = useController({ name });
  const error = useFieldError(name);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const refusal = problem ?? error;
  useEffect(() => onBusy(busy), [busy, onBusy]);

  async function uploadAll(files: File[]): Promise<Uploaded[]> {
    const refused = files.map((file) => fileProblem(file, category)).find((found) => found !== null);
    if (refused) {
      setProblem(t(refused, { limit: MAX_UPLOAD_MB }));
      return [];
    }
    setProblem(null);
    setBusy(true);
    const uploaded: Uploaded[] = [];
    try {
      for (const file of files) {
        const key = await upload(file, category, texts);
        const preview = file.type.startsWith("image/") ? URL.createObjectURL(file) : null;
        uploaded.push({ key, name: file.name, preview });
      }
    } catch (error) {
      setProblem(error instanceof UploadError ? error.message : texts("failed"));
    } finally {
      setBusy(false);
    }
    return uploaded;
  }

  const chooser = {
    category,
    busy,
    describedBy: refusal ? `${id}-hint ${id}-error` : `${id}-hint`,
    inputRef: field.ref,
    onNone: () => setProblem(texts("none")),
  };
  const notes = (hint: string) => (
    <>
      <p id={`${id}-hint`} className="text-muted-foreground text-xs">
        {hint}
      </p>
      {refusal && <FieldError id={`${id}-error`}>{refusal}</FieldError>}
    </>
  );
  return { field, busy, setProblem, uploadAll, chooser, notes };
}

type ImageFieldProps = {
  name: "image" | "logo";
  current?: string | null;
  onBusy: (busy: boolean) => void;
  onShown?: (url: string | null) => void;
};

/** The business image or the logo; the field's value is its key, null to remove the current one, undefined to leave it. */
export function ImageField({ name, current = null, onBusy, onShown }: ImageFieldProps) {
  const t = useTranslations("merchants.files");
  const logo = name === "logo";
  const { field, busy, uploadAll, chooser, notes } = useUploads("image", name, onBusy);
  const [preview, setPreview] = useState<string | null>(null);
  const shown = field.value === undefined ? current : field.value === null ? null : preview;
  useEffect(() => onShown?.(shown), [shown, onShown]);

  return (
    <div className="flex flex-col gap-2">
      <p className="flex items-center gap-1.5 font-medium text-sm">
        {t(logo ? "logo" : "image")}{" "}
        <span className="font-normal text-muted-foreground text-xs">{t("optional")}</span>
      </p>
      <div className="flex flex-wrap items-center gap-3 sm:gap-4">
        <Picture url={shown} logo={logo} />
        <div className="flex flex-1 basis-40 flex-wrap gap-2">
          <UploadButton
            {...chooser}
            label={shown ? t(logo ? "changeLogo" : "changeImage") : t(logo ? "chooseLogo" : "chooseImage")}
            onFiles={async ([file]) => {
              const [uploaded] = await uploadAll(file ? [file] : []);
              if (!uploaded) return;
              setPreview(uploaded.preview);
              field.onChange(uploaded.key);
            }}
          />
          {shown && (
            <Button
              variant="ghost"
              onClick={() => field.onChange(current ? null : undefined)}
              disabled={busy}
            >
              <XIcon aria-hidden /> {t(logo ? "removeLogo" : "removeImage")}
            </Button>
          )}
        </div>
      </div>
      {notes(t(logo ? "logoHint" : "imageHint"))}
    </div>
  );
}

function Picture({ url, logo }: { url: string | null; logo: boolean }) {
  const t = useTranslations("merchants.files");
  return (
    <div
      className={cn(
        "flex h-16 shrink-0 items-center justify-center overflow-hidden rounded-lg border text-muted-foreground sm:h-20",
        logo ? "w-16 bg-white sm:w-20" : "w-24 bg-muted sm:w-32",
      )}
    >
      {url ? (
        // biome-ignore lint/performance/noImgElement: a picture that was just chosen, or one that the store serves in its final size
        <img
          src={url}
          alt={t(logo ? "logoAlt" : "imageAlt")}
          className={logo ? "size-full object-contain p-2" : "size-full object-cover"}
        />
      ) : (
        <ImageIcon className="size-6" aria-hidden />
      )}
    </div>
  );
}

/** Uploads up to three documents; the field's value is their keys. */
export function DocumentsField({ name, onBusy }: { name: string; onBusy: (busy: boolean) => void }) {
  const t = useTranslations("merchants.files");
  const { field, setProblem, uploadAll, chooser, notes } = useUploads("document", name, onBusy);
  const [files, setFiles] = useState<Uploaded[]>([]);
  // An upload may end after another file was removed.
  const latest = useRef(files);
  const change = (to: (now: Uploaded[]) => Uploaded[]) => {
    latest.current = to(latest.current);
    setFiles(latest.current);
    field.onChange(latest.current.map((file) => file.key));
  };

  async function add(chosen: File[]) {
    if (files.length + chosen.length > MAX_DOCUMENTS) return setProblem(t("tooMany", { max: MAX_DOCUMENTS }));
    const uploaded = await uploadAll(chosen);
    if (uploaded.length > 0) change((now) => [...now, ...uploaded]);
  }

  return (
    <div className="flex flex-col gap-2">
      <p className="flex items-center gap-1.5 font-medium text-sm">
        {t("documents")} <span className="font-normal text-muted-foreground text-xs">{t("optional")}</span>
      </p>
      {files.length > 0 && (
        <ul className="flex flex-col gap-2">
          {files.map((file) => (
            <li key={file.key} className="flex items-center gap-2 rounded-lg border px-3 py-1.5 text-sm">
              <FileTextIcon className="size-4 shrink-0 text-muted-foreground" aria-hidden />
              <bdi className="min-w-0 flex-1 truncate">{file.name}</bdi>
              <Button
                variant="ghost"
                size="icon-sm"
                aria-label={t("removeDocument", { name: file.name })}
                onClick={() => change((now) => now.filter((other) => other.key !== file.key))}
              >
                <XIcon aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {files.length < MAX_DOCUMENTS && (
        <UploadButton {...chooser} label={t("addDocument")} multiple onFiles={add} />
      )}
      {notes(t("documentsHint", { max: MAX_DOCUMENTS }))}
    </div>
  );
}
