"use client";

import { useTranslations } from "next-intl";
import { useEffect, useMemo, useState } from "react";
import type { toast } from "sonner";
import { whenQuiet } from "./when-quiet";

let announce: (show: typeof toast) => void = () => undefined;
const ready = new Promise<typeof toast>((resolve) => {
  announce = resolve;
});
const onReady = (show: typeof toast) => announce(show);

let want = () => {};

/** Shows notifications; the root layout has one. Its code is loaded after the page. */
export function Toasts() {
  const [part, setPart] = useState<typeof import("./sonner") | null>(null);
  useEffect(() => {
    want = () => {
      import("./sonner").then(setPart, () => undefined);
    };
    return whenQuiet(() => want());
  }, []);
  return part && <part.Toaster onReady={onReady} />;
}

/** Notifications in the specification's three kinds; one without a text shows "Something happened!". */
export function useNotify() {
  const t = useTranslations("common");
  return useMemo(() => {
    const show = (kind: "success" | "error" | "info") => (text?: string | null) => {
      want();
      // One id: a new notice replaces the last.
      void ready.then((toast) => toast[kind](text || t("somethingHappened"), { id: "notice" }));
    };
    return { success: show("success"), error: show("error"), neutral: show("info") };
  }, [t]);
}
