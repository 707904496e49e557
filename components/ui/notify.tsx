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

// One notice at a time: a new one replaces the last.
const NOTICE = "notice";

/** Notifications in the specification's three kinds; one without a text shows "Something happened!". */
export function useNotify() {
  const t = useTranslations("common");
  return useMemo(() => {
    const show = (kind: "success" | "error" | "info") => (text?: string | null) => {
      want();
      void ready.then((toast) => toast[kind](text || t("somethingHappened"), { id: NOTICE }));
    };
    return { success: show("success"), error: show("error"), neutral: show("info") };
  }, [t]);
}
