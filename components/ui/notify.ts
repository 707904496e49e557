"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { toast } from "sonner";

export type Notify = {
  success: (text?: string | null) => void;
  error: (text?: string | null) => void;
  neutral: (text?: string | null) => void;
};

/** Notifications in the specification's three kinds; one without a text shows "Something happened!". */
export function useNotify(): Notify {
  const t = useTranslations("common");
  return useMemo(() => {
    const textOrDefault = (text?: string | null) => text || t("somethingHappened");
    return {
      success: (text) => toast.success(textOrDefault(text)),
      error: (text) => toast.error(textOrDefault(text)),
      neutral: (text) => toast.info(textOrDefault(text)),
    };
  }, [t]);
}
