"use client";

import { NextIntlClientProvider } from "next-intl";
import { ThemeProvider } from "next-themes";
import { Direction } from "radix-ui";
import { type ReactNode, useState } from "react";
import { Ages } from "@/components/data/ages";
import { Toasts } from "@/components/ui/toasts";
import { direction, type Locale } from "@/lib/domain/roles";
import { TIME_ZONE } from "@/lib/domain/time";
import { Head } from "./head";
import { NonceContext, useTexts } from "./use-texts";

/** react-remove-scroll, which every radix dialog uses, reads the nonce of its added `<style>` here. */
type NonceHolder = { __webpack_nonce__?: string | undefined };

/**
 * Answers the nonce that this document came with. A refresh of the page brings another nonce, which the
 * policy of this document does not know.
 */
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

/** The providers around every page: language, direction, theme, ages of times, and notifications. */
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
  return (
    <NonceContext value={documentNonce}>
      <ThemeProvider attribute="class" nonce={documentNonce ?? ""} disableTransitionOnChange>
        <RootTexts locale={locale} texts={texts}>
          <Head />
          <Direction.Provider dir={direction(locale)}>
            {children}
            <Ages />
            <Toasts />
          </Direction.Provider>
        </RootTexts>
      </ThemeProvider>
    </NonceContext>
  );
}
