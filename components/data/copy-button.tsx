"use client";

import { CheckIcon, CopyIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button, type ButtonProps } from "@/components/ui/button";
import { useCopy } from "@/components/ui/use-copy";

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
