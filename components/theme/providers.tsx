"use client";

import { NextIntlClientProvider } from "next-intl";
import { Direction } from "radix-ui";
import { type ReactNode, useEffect, useState } from "react";
import { Ages } from "@/components/data/ages";
import { followTheme, THEME_SCRIPT } from "@/components/ui/theme";
import { Toasts } from "@/components/ui/toasts";
import { direction, type Locale } from "@/lib/domain/roles";
import { TIME_ZONE } from "@/lib/domain/time";
import { Head } from "./head";
import { NonceContext, useTexts } from "./use-texts";

/** Where react-remove-scroll, below every radix dialog, finds the nonce of the `<style>` that it adds. */
type NonceHolder = { __webpack_nonce__?: string | undefined };

/** The nonce that this document came with. A refresh of the page brings another one, which its policy does not know. */
function useDocumentNonce(nonce: string | undefined): string | undefined {
  const [first] = useState(() => {
    if (typeof window !== "undefined") (globalThis as NonceHolder).__webpack_nonce__ = nonce;
    return nonce;
  });
  return first;
}

/** The texts that every page has, in its language. */
function RootTexts({ locale, texts, children }: { locale: Locale; texts: string; children: ReactNode }) {
  return (
    <NextIntlClientProvider locale={locale} messages={useTexts(texts)} timeZone={TIME_ZONE}>
      {children}
    </NextIntlClientProvider>
  );
}

/** What is around every page: its language, direction and theme, ages of times and notifications. */
export function Providers({
  locale,
  texts,
  nonce,
  children,
}: {
  locale: Locale;
  /** The file of the texts that every page has. */
  texts: string;
  nonce?: string;
  children: ReactNode;
}) {
  const documentNonce = useDocumentNonce(nonce);
  useEffect(followTheme, []);
  return (
    <NonceContext value={documentNonce}>
      <script
        // A browser hides the nonce of what it has run.
        suppressHydrationWarning
        nonce={typeof window === "undefined" ? documentNonce : ""}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this project
        dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }}
      />
      <RootTexts locale={locale} texts={texts}>
        <Head />
        <Direction.Provider dir={direction(locale)}>
          {children}
          <Ages />
          <Toasts />
        </Direction.Provider>
      </RootTexts>
    </NonceContext>
  );
}
