"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { toaster } from "./toasts";

// One notice at a time: a new one replaces the last.
const NOTICE = "notice";

export type Notify = {
  success: (text?: string | null) => void;
  error: (text?: string | null) => void;
  neutral: (text?: string | null) => void;
};

/** Notifications in the specification's three kinds; one without a text shows "Something happened!". */
export function useNotify(): Notify {
  const t = useTranslations("common");
  return useMemo(() => {
    const show = (kind: "success" | "error" | "info") => (text?: string | null) =>
      void toaster().then((toast) => toast[kind](text || t("somethingHappened"), { id: NOTICE }));
    return { success: show("success"), error: show("error"), neutral: show("info") };
  }, [t]);
}
