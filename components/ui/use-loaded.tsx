"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useCallback, useState } from "react";
import { Button, type ButtonProps } from "./button";
import { useNotify } from "./notify";

/**
 * Code that most visitors never need: `want` loads it as `part`, `warm` only fetches it. `load` is a function
 * of the module. Without a connection the user is told and may try again; it is `failed` until then.
 */
export function useLoaded<T>(load: () => Promise<T>) {
  const t = useTranslations("errors");
  const notify = useNotify();
  const [part, setPart] = useState<T | null>(null);
  const [failed, setFailed] = useState(false);
  const want = useCallback(() => {
    setFailed(false);
    load().then(
      (loaded) => setPart(() => loaded),
      () => {
        setFailed(true);
        notify.error(t("unavailable"));
      },
    );
  }, [load, notify, t]);
  const warm = useCallback(() => void load().catch(() => undefined), [load]);
  return { part, failed, want, warm };
}

/** A button that loads its dialog at the first press; `dialog` renders what was loaded, open at first, around the button. */
export function DialogButton<T>({
  load,
  dialog,
  ...props
}: ButtonProps & { load: () => Promise<T>; dialog: (part: T, button: ReactNode) => ReactNode }) {
  const { part, want, warm } = useLoaded(load);
  if (part) return dialog(part, <Button {...props} />);
  return <Button aria-haspopup="dialog" {...props} onClick={want} onPointerEnter={warm} onFocus={warm} />;
}
