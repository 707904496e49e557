"use client";

import { UploadIcon } from "lucide-react";
import { useId } from "react";
import { buttonVariants } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/components/ui/utils";
import type { UploadCategory } from "@/lib/domain/uploads";

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
