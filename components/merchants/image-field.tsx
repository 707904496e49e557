"use client";

import { ImageIcon, XIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useId, useState } from "react";
import { useController } from "react-hook-form";
import { useFieldError } from "@/components/forms/field";
import { FieldError } from "@/components/forms/field-error";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/utils";
import { UploadButton, useUploads } from "./upload";

/** The business image or the logo; the field's value is its key, null to remove the current one, undefined to leave it. */
export function ImageField({
  name,
  kind = "image",
  current = null,
  onBusy,
  onShown,
}: {
  name: string;
  kind?: "image" | "logo";
  /** The URL of the current one. */
  current?: string | null;
  onBusy: (busy: boolean) => void;
  /** Told what the field shows, which a preview shows as well. */
  onShown?: (url: string | null) => void;
}) {
  const t = useTranslations("merchants.files");
  const logo = kind === "logo";
  const id = useId();
  const { field } = useController({ name });
  const error = useFieldError(name);
  const { busy, problem, uploadAll, refuseNone } = useUploads("image");
  const [preview, setPreview] = useState<string | null>(null);
  useEffect(() => onBusy(busy), [busy, onBusy]);
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
            category="image"
            label={shown ? t(logo ? "changeLogo" : "changeImage") : t(logo ? "chooseLogo" : "chooseImage")}
            busy={busy}
            onNone={refuseNone}
            describedBy={`${id}-hint`}
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
      <p id={`${id}-hint`} className="text-muted-foreground text-xs">
        {t(logo ? "logoHint" : "imageHint")}
      </p>
      {(problem ?? error) && <FieldError>{problem ?? error}</FieldError>}
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
