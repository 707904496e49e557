"use client";

import { CameraIcon, ImageUpIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ChangeEvent, type ReactNode, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/components/ui/utils";
import { MODE_LOOK } from "./mode-look";
import type { CounterMode } from "./types";

/** The scanner takes the focus while its camera looks for the next customer. */
export const SCANNER_ID = "counter-scanner";

/** The scanner while its camera is off: a button that starts it, and another for a photo. */
export function ScanButton({
  mode,
  busy,
  onStart,
  onText,
}: {
  mode: CounterMode;
  busy: boolean;
  onStart: () => void;
  onText: (text: string) => void;
}) {
  const t = useTranslations("counter.scanner");
  return (
    <section id={SCANNER_ID} tabIndex={-1} className="flex gap-2 rounded-xl" aria-label={t("label")}>
      <Button
        className={cn("h-14 min-w-0 flex-1 text-lg", MODE_LOOK[mode].solid)}
        disabled={busy}
        onClick={onStart}
      >
        {busy ? <Spinner /> : <CameraIcon className="size-6" aria-hidden />}
        {t("start")}
      </Button>
      <PhotoButton onText={onText} />
    </section>
  );
}

/** Reads the code in a photo. Without `children` it is an icon. */
export function PhotoButton({ onText, children }: { onText: (text: string) => void; children?: ReactNode }) {
  const t = useTranslations("counter.scanner");
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? [];
    event.target.value = "";
    if (!file) return;
    setBusy(true);
    const text = await import("./decoder").then(({ readPhoto }) => readPhoto(file)).catch(() => null);
    setBusy(false);
    setProblem(text === null ? t("noCode") : null);
    if (text !== null) onText(text);
  };
  return (
    <div className="grid gap-1">
      <input
        ref={input}
        type="file"
        accept="image/*"
        className="sr-only"
        tabIndex={-1}
        aria-label={t("photo")}
        onChange={choose}
      />
      <Button
        variant={children ? "ghost" : "outline"}
        className={children ? "h-12" : "size-14 p-0"}
        aria-label={t("photo")}
        disabled={busy}
        onClick={() => input.current?.click()}
      >
        {busy ? <Spinner /> : <ImageUpIcon className="size-5" aria-hidden />}
        {children}
      </Button>
      {problem && (
        <p role="alert" className="text-center text-destructive-strong text-sm">
          {problem}
        </p>
      )}
    </div>
  );
}
