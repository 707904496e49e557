"use client";

import { CheckIcon, CopyIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { Button, type ButtonProps } from "@/components/ui/button";
import { useNotify } from "@/components/ui/notify";

/** Copies a text and confirms it for 2 seconds. Without a label it is an icon button named "Copy". */
export function CopyButton({
  text,
  label,
  ...props
}: Omit<ButtonProps, "children"> & { text: string; label?: string }) {
  const t = useTranslations("common");
  const notify = useNotify();
  const { copied, copy } = useCopy();
  const Icon = copied ? CheckIcon : CopyIcon;
  const shownLabel = copied ? t("copied") : (label ?? t("copy"));
  return (
    <Button
      variant="outline"
      size={label ? "md" : "icon"}
      aria-label={shownLabel}
      onClick={() => copy(text).catch(() => notify.error(t("notCopied")))}
      {...props}
    >
      <Icon aria-hidden />
      {label && <span aria-live="polite">{shownLabel}</span>}
    </Button>
  );
}

/** An id that people read, with the button that copies it. */
export function CopyableId({ text }: { text: string }) {
  return (
    <span className="flex items-center gap-1">
      <bdi dir="ltr" className="min-w-0 break-all font-mono">
        {text}
      </bdi>
      <CopyButton text={text} variant="ghost" size="icon-sm" />
    </span>
  );
}

const COPIED_MS = 2000;

/** Copies a text; `copied` stays true for 2 seconds. `copy` rejects where the browser does not copy. */
export function useCopy() {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (text: string) => {
    await writeToClipboard(text);
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), COPIED_MS);
  };
  return { copied, copy };
}

/** Copies a text, and tells whether it was copied. */
export function useCopyAndTell() {
  const t = useTranslations("common");
  const notify = useNotify();
  return (text: string) =>
    writeToClipboard(text).then(
      () => notify.success(t("copied")),
      () => notify.error(t("notCopied")),
    );
}

/** Copies a text. Throws where the browser does not copy. */
export async function writeToClipboard(text: string): Promise<void> {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  // Beside what has the focus: a dialog takes the focus back from what is outside it, and nothing would be selected.
  (focused?.parentElement ?? document.body).append(area);
  area.select();
  // Plain http has no Clipboard API, and some shops open the panel at an address in their local network.
  const copied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!copied) throw new Error("not copied");
}
