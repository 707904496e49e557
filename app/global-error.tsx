"use client";

import { useEffect, useState } from "react";
import { ErrorScreen, type ScreenError } from "@/components/errors/error-screen";
import { DEFAULT_LOCALE, direction, isLocale, LOCALE_COOKIE, type Locale } from "@/lib/domain/roles";
import "./globals.css";

/** The language without any provider: the person's choice, else what the page was in, else the browser's. */
function readLocale(): Locale {
  const cookie = new RegExp(`(?:^|; )${LOCALE_COOKIE}=([a-z]+)`).exec(document.cookie)?.[1];
  const spoken = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return [cookie, ...spoken].find(isLocale) ?? DEFAULT_LOCALE;
}

/** Stands in for the root layout when that itself fails: brings its own document. */
export default function GlobalError({ error }: { error: ScreenError }) {
  const [locale, setLocale] = useState<Locale>(DEFAULT_LOCALE);
  useEffect(() => {
    setLocale(readLocale());
    document.documentElement.classList.toggle(
      "dark",
      window.matchMedia("(prefers-color-scheme: dark)").matches,
    );
  }, []);
  return (
    <html lang={locale} dir={direction(locale)} suppressHydrationWarning>
      <body>
        <ErrorScreen error={error} locale={locale} />
      </body>
    </html>
  );
}
