"use client";

import { AlertDialog as AlertDialogPrimitive } from "radix-ui";
import type { ComponentProps } from "react";
import { buttonVariants } from "./button";
import { modalClass, overlayClass } from "./dialog";
import { cn, part } from "./utils";

export const AlertDialog = AlertDialogPrimitive.Root;
export const AlertDialogTrigger = AlertDialogPrimitive.Trigger;

export function AlertDialogContent(props: ComponentProps<typeof AlertDialogPrimitive.Content>) {
  return (
    <AlertDialogPrimitive.Portal>
      <AlertDialogPrimitive.Overlay data-slot="alert-dialog-overlay" className={overlayClass} />
      <AlertDialogPrimitive.Content
        data-slot="alert-dialog-content"
        className={cn(modalClass, "max-w-md")}
        {...props}
      />
    </AlertDialogPrimitive.Portal>
  );
}

export const AlertDialogHeader = part("div", "alert-dialog-header", "flex flex-col gap-1.5");

export const AlertDialogFooter = part(
  "div",
  "alert-dialog-footer",
  "flex flex-wrap-reverse gap-2 *:grow sm:justify-end sm:*:grow-0",
);

export const AlertDialogTitle = part(
  AlertDialogPrimitive.Title,
  "alert-dialog-title",
  "font-semibold text-lg leading-snug",
);

export const AlertDialogDescription = part(
  AlertDialogPrimitive.Description,
  "alert-dialog-description",
  "text-pretty text-muted-foreground text-sm",
);

export function AlertDialogCancel(props: ComponentProps<typeof AlertDialogPrimitive.Cancel>) {
  return <AlertDialogPrimitive.Cancel className={buttonVariants({ variant: "outline" })} {...props} />;
}
