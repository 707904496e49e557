"use client";

import { ThemeProvider } from "next-themes";
import { Direction } from "radix-ui";
import { type ReactNode, useState } from "react";
import { Ages } from "@/components/data/ages";
import { Toasts } from "@/components/ui/toasts";
import { direction, type Locale } from "@/lib/domain/roles";
import { Head } from "./head";

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

/** The providers around every page besides its texts: direction, theme, ages of times, and notifications. */
export function Providers({
  locale,
  nonce,
  children,
}: {
  locale: Locale;
  nonce?: string;
  children: ReactNode;
}) {
  const documentNonce = useDocumentNonce(nonce);
  return (
    <ThemeProvider attribute="class" nonce={documentNonce ?? ""} disableTransitionOnChange>
      <Head />
      <Direction.Provider dir={direction(locale)}>
        {children}
        <Ages />
        <Toasts />
      </Direction.Provider>
    </ThemeProvider>
  );
}
