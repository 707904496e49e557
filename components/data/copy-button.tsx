"use client";

import { CheckIcon, CopyIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { Button, type ButtonProps } from "@/components/ui/button";

/** Copies a text and says so for 2 seconds. Without a label it is an icon that is named "Copy". */
export function CopyButton({
  text,
  label,
  variant = "outline",
  ...props
}: Omit<ButtonProps, "children"> & { text: string; label?: string }) {
  const t = useTranslations("common");
  const { copied, copy } = useCopy();
  const Icon = copied ? CheckIcon : CopyIcon;
  const words = copied ? t("copied") : (label ?? t("copy"));
  return (
    <Button
      variant={variant}
      size={label ? "default" : "icon"}
      aria-label={words}
      onClick={() => copy(text)}
      {...props}
    >
      <Icon aria-hidden />
      {label && <span aria-live="polite">{words}</span>}
    </Button>
  );
}

const COPIED_MS = 2000;

async function write(text: string): Promise<void> {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.append(area);
  area.select();
  // Plain http has no clipboard interface, and shops do open panels by an address in their own network.
  document.execCommand("copy");
  area.remove();
}

/** Copies a text; `copied` stays true for 2 seconds. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<void> } {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = useCallback(async (text: string) => {
    await write(text).catch(() => {});
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), COPIED_MS);
  }, []);
  return { copied, copy };
}
