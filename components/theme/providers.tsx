"use client";

import { ThemeProvider } from "next-themes";
import { Direction } from "radix-ui";
import { type ReactNode, useState } from "react";
import { Ages } from "@/components/data/ages";
import { Toasts } from "@/components/ui/toasts";

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

/** The providers around every page: direction, theme, ages of times and notifications. */
export function Providers({
  dir,
  nonce,
  children,
}: {
  dir: "ltr" | "rtl";
  nonce?: string;
  children: ReactNode;
}) {
  const documentNonce = useDocumentNonce(nonce);
  return (
    <Direction.Provider dir={dir}>
      <ThemeProvider
        attribute="class"
        defaultTheme="system"
        enableSystem
        disableTransitionOnChange
        nonce={documentNonce}
      >
        {children}
        <Ages />
        <Toasts />
      </ThemeProvider>
    </Direction.Provider>
  );
}
