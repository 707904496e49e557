"use client";

import { useTranslations } from "next-intl";
import { AlertDialog as AlertDialogPrimitive } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { Button } from "./button";
import { modalClass, overlayClass } from "./dialog";
import { cn } from "./utils";

/** A question, with Cancel beside the buttons that answer it (`children`). `trigger` is the button that opens it. */
export function AlertDialog({
  trigger,
  title,
  description,
  children,
  ...root
}: ComponentProps<typeof AlertDialogPrimitive.Root> & {
  trigger?: ReactNode;
  title: ReactNode;
  description: ReactNode;
}) {
  const t = useTranslations("shell");
  return (
    <AlertDialogPrimitive.Root {...root}>
      {trigger && <AlertDialogPrimitive.Trigger asChild>{trigger}</AlertDialogPrimitive.Trigger>}
      <AlertDialogPrimitive.Portal>
        <AlertDialogPrimitive.Overlay className={overlayClass} />
        <AlertDialogPrimitive.Content className={cn(modalClass, "max-w-md")}>
          <div className="flex flex-col gap-1.5">
            <AlertDialogPrimitive.Title className="font-semibold text-lg leading-snug">
              {title}
            </AlertDialogPrimitive.Title>
            <AlertDialogPrimitive.Description className="text-pretty text-muted-foreground text-sm">
              {description}
            </AlertDialogPrimitive.Description>
          </div>
          <div className="flex flex-wrap-reverse gap-2 *:grow sm:justify-end sm:*:grow-0">
            <AlertDialogPrimitive.Cancel asChild>
              <Button variant="outline">{t("cancel")}</Button>
            </AlertDialogPrimitive.Cancel>
            {children}
          </div>
        </AlertDialogPrimitive.Content>
      </AlertDialogPrimitive.Portal>
    </AlertDialogPrimitive.Root>
  );
}
