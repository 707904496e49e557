"use client";

import { useEffect, useState } from "react";
import type { ScreenError } from "@/components/errors/error-screen";
import { LazyErrorScreen } from "@/components/errors/lazy-error-screen";
import { useChosenTheme } from "@/components/theme/themes";
import { DEFAULT_LOCALE, direction, isLocale, LOCALE_COOKIE, type Locale } from "@/lib/domain/roles";
import "./globals.css";

/** The language without a provider: the user's choice in the cookie, else the browser's language. */
function readLocale(): Locale {
  const cookie = new RegExp(`(?:^|; )${LOCALE_COOKIE}=([a-z]+)`).exec(document.cookie)?.[1];
  const preferred = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return [cookie, ...preferred].find(isLocale) ?? DEFAULT_LOCALE;
}

/** Replaces the root layout when it fails, so it renders the whole document. */
export default function GlobalError({ error }: { error: ScreenError }) {
  const [locale, setLocale] = useState<Locale>(DEFAULT_LOCALE);
  useEffect(() => setLocale(readLocale()), []);
  useChosenTheme();
  return (
    <html lang={locale} dir={direction(locale)} suppressHydrationWarning>
      <body>
        <LazyErrorScreen error={error} locale={locale} />
      </body>
    </html>
  );
}
