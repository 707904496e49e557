"use client";

import { FileTextIcon, XIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useId, useRef, useState } from "react";
import { useController } from "react-hook-form";
import { useFieldError } from "@/components/forms/field";
import { FieldError } from "@/components/forms/field-error";
import { Button } from "@/components/ui/button";
import { MAX_DOCUMENTS } from "@/lib/files/model/uploads";
import { UploadButton, type Uploaded, useUploads } from "./upload";

/** Uploads up to three documents; the field's value is their keys. */
export function DocumentsField({ name, onBusy }: { name: string; onBusy: (busy: boolean) => void }) {
  const t = useTranslations("merchants.files");
  const id = useId();
  const { field } = useController({ name });
  const error = useFieldError(name);
  const { busy, problem, setProblem, uploadAll, refuseNone } = useUploads("document");
  const [files, setFiles] = useState<Uploaded[]>([]);
  useEffect(() => onBusy(busy), [busy, onBusy]);
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
        <UploadButton
          category="document"
          label={t("addDocument")}
          multiple
          busy={busy}
          onNone={refuseNone}
          describedBy={`${id}-hint`}
          onFiles={add}
        />
      )}
      <p id={`${id}-hint`} className="text-muted-foreground text-xs">
        {t("documentsHint", { max: MAX_DOCUMENTS })}
      </p>
      {(problem ?? error) && <FieldError>{problem ?? error}</FieldError>}
    </div>
  );
}
