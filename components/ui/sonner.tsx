"use client";

import { CircleCheckIcon, CircleXIcon, InfoIcon, TriangleAlertIcon } from "lucide-react";
import { useLocale } from "next-intl";
import { useTheme } from "next-themes";
import { Toaster as Sonner, type ToasterProps } from "sonner";
import { direction, type Locale } from "@/lib/domain/roles";

/** Shows notifications; the root layout has one. Send them with `useNotify`. */
export function Toaster(props: ToasterProps) {
  const { theme = "system" } = useTheme();
  const locale = useLocale() as Locale;
  return (
    <Sonner
      theme={theme as ToasterProps["theme"]}
      dir={direction(locale)}
      position="top-center"
      expand
      icons={{
        success: <CircleCheckIcon className="size-4.5 text-success" aria-hidden />,
        error: <CircleXIcon className="size-4.5 text-destructive" aria-hidden />,
        warning: <TriangleAlertIcon className="size-4.5 text-warning-strong" aria-hidden />,
        info: <InfoIcon className="size-4.5 text-muted-foreground" aria-hidden />,
      }}
      toastOptions={{
        classNames: {
          toast: "!rounded-lg !border-border !bg-popover !text-popover-foreground !shadow-lg !font-sans",
          title: "!font-medium",
          description: "!text-muted-foreground",
        },
      }}
      {...props}
    />
  );
}
