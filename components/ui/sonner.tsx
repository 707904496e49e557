"use client";

import { CircleCheckIcon, CircleXIcon, InfoIcon } from "lucide-react";
import { useLocale } from "next-intl";
import { useEffect } from "react";
import { Toaster as Sonner, toast } from "sonner";
import { useTheme } from "@/components/theme/themes";
import { direction } from "@/lib/domain/roles";

const ABOVE = { bottom: "calc(env(safe-area-inset-bottom) + var(--bar, 1.25rem))" };

/** Shows notifications, and says when it does. */
export function Toaster({ onReady }: { onReady: (show: typeof toast) => void }) {
  const { theme = "system" } = useTheme();
  const locale = useLocale();
  // The library's own part listens by now: effects of children come first.
  useEffect(() => onReady(toast), [onReady]);
  return (
    <Sonner
      theme={theme}
      dir={direction(locale)}
      // Below dialogs and away from names and heads; above the bar of a phone.
      position="bottom-center"
      style={{ zIndex: 45 }}
      offset={ABOVE}
      mobileOffset={ABOVE}
      visibleToasts={1}
      icons={{
        success: <CircleCheckIcon className="size-4.5 text-success" aria-hidden />,
        error: <CircleXIcon className="size-4.5 text-destructive" aria-hidden />,
        info: <InfoIcon className="size-4.5 text-muted-foreground" aria-hidden />,
      }}
      toastOptions={{
        classNames: {
          toast: "!rounded-lg !border-border !bg-popover !text-popover-foreground !shadow-lg !font-sans",
          title: "!font-medium",
        },
      }}
    />
  );
}
