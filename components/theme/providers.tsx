"use client";

import { ThemeProvider } from "next-themes";
import { Direction } from "radix-ui";
import type { ReactNode } from "react";
import { Toaster } from "@/components/ui/sonner";
import { TooltipProvider } from "@/components/ui/tooltip";

/** The providers around every page: direction, theme, tooltips and notifications. */
export function Providers({
  dir,
  nonce,
  children,
}: {
  dir: "ltr" | "rtl";
  nonce?: string;
  children: ReactNode;
}) {
  return (
    <Direction.Provider dir={dir}>
      <ThemeProvider
        attribute="class"
        defaultTheme="system"
        enableSystem
        disableTransitionOnChange
        nonce={nonce}
      >
        <TooltipProvider delayDuration={250}>
          {children}
          <Toaster />
        </TooltipProvider>
      </ThemeProvider>
    </Direction.Provider>
  );
}
