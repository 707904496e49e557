"use client";

import { useEffect, useState } from "react";
import type { Locale } from "@/lib/domain/roles";
import type { ScreenError } from "./error-screen";
import { ERROR_TEXTS } from "./reloads";

/** The error screen, which is loaded when there is an error; a plain message where that is not possible either. */
export function LazyErrorScreen({ error, locale }: { error: ScreenError; locale: Locale }) {
  const [screen, setScreen] = useState<typeof import("./error-screen") | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    import("./error-screen").then(setScreen, () => setFailed(true));
  }, []);
  if (screen) return <screen.ErrorScreen error={error} locale={locale} />;
  if (!failed) return null;
  const t = ERROR_TEXTS[locale];
  return (
    <main
      role="alert"
      className="mx-auto flex min-h-dvh max-w-lg flex-col justify-center gap-4 p-4 text-center"
    >
      <h1 className="font-semibold text-2xl">{t.title}</h1>
      <p>{t.description}</p>
      <button type="button" className="underline" onClick={() => window.location.reload()}>
        {t.tryAgain}
      </button>
    </main>
  );
}
