"use client";

import { CheckIcon, CopyIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { Button, type ButtonProps } from "@/components/ui/button";

/** Copies a text and confirms it for 2 seconds. Without a label it is an icon button named "Copy". */
export function CopyButton({
  text,
  label,
  variant = "outline",
  ...props
}: Omit<ButtonProps, "children"> & { text: string; label?: string }) {
  const t = useTranslations("common");
  const { copied, copy } = useCopy();
  const Icon = copied ? CheckIcon : CopyIcon;
  const shownLabel = copied ? t("copied") : (label ?? t("copy"));
  return (
    <Button
      variant={variant}
      size={label ? "default" : "icon"}
      aria-label={shownLabel}
      onClick={() => copy(text)}
      {...props}
    >
      <Icon aria-hidden />
      {label && <span aria-live="polite">{shownLabel}</span>}
    </Button>
  );
}

const COPIED_MS = 2000;

/** Copies a text; `copied` stays true for 2 seconds. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<void> } {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = useCallback(async (text: string) => {
    await writeToClipboard(text).catch(() => {});
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), COPIED_MS);
  }, []);
  return { copied, copy };
}

/** Copies a text. */
export async function writeToClipboard(text: string): Promise<void> {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.append(area);
  area.select();
  // Plain http has no Clipboard API, and some shops open the panel at an address in their local network.
  document.execCommand("copy");
  area.remove();
}
