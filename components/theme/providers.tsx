"use client";

import { useTranslations } from "next-intl";
import { Direction } from "radix-ui";
import { type ReactNode, useEffect, useState } from "react";
import { Ages } from "@/components/data/ages";
import { Toasts } from "@/components/ui/notify";
import { direction, type Locale } from "@/lib/domain/roles";
import { useChosenTheme } from "./themes";

type ProvidersProps = {
  locale: Locale;
  nonce?: string;
  children: ReactNode;
};

/** The providers around every page besides its texts: direction, theme, ages of times, and notifications. */
export function Providers({ locale, nonce, children }: ProvidersProps) {
  // Radix dialogs read the nonce of their `<style>` here: the document's, not that of a refresh of the page.
  useState(() => {
    if (typeof window === "undefined") return;
    (globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce;
  });
  useChosenTheme();
  return (
    <>
      <Head />
      <Direction.Provider dir={direction(locale)}>
        {children}
        <Ages />
        <Toasts />
      </Direction.Provider>
    </>
  );
}

/** Next's metadata is in a page twice, as HTML and as data, so it has only the values that differ by page. */
function Head() {
  const t = useTranslations("common");
  return (
    <>
      <meta name="theme-color" content="#f8fafc" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#0e131d" media="(prefers-color-scheme: dark)" />
      <meta name="description" content={t("appDescription")} />
      <meta name="application-name" content={t("appName")} />
      <meta name="format-detection" content="telephone=no" />
      <link rel="icon" href="/favicon.ico" sizes="32x32" />
      <link rel="icon" href="/icon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
    </>
  );
}

/** Sets the accent on the body, where dialogs and menus are rendered, outside the page's frame. */
export function usePortalTheme(theme: "red" | "blue"): void {
  useEffect(() => {
    document.body.dataset.theme = theme;
    return () => {
      delete document.body.dataset.theme;
    };
  }, [theme]);
}
