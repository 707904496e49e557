"use client";

import { Dialog as SheetPrimitive } from "radix-ui";
import type { ComponentProps } from "react";
import { DialogContent } from "./dialog";
import { cn, part } from "./utils";

export const Sheet = SheetPrimitive.Root;
export const SheetTrigger = SheetPrimitive.Trigger;

const SHEET =
  "data-[state=closed]:animate-out data-[state=open]:animate-in fixed z-50 flex flex-col base:gap-4 overflow-y-auto overscroll-contain wrap-break-word bg-popover text-popover-foreground shadow-xl transition ease-in-out data-[state=closed]:duration-200 data-[state=open]:duration-300";
const SIDES = {
  start:
    "inset-y-0 start-0 w-[min(20rem,85vw)] border-e data-[state=closed]:slide-out-to-start data-[state=open]:slide-in-from-start",
  end: "inset-y-0 end-0 w-full border-s sm:max-w-md data-[state=closed]:slide-out-to-end data-[state=open]:slide-in-from-end",
  bottom:
    "inset-x-0 bottom-0 max-h-[92dvh] rounded-t-2xl border-t data-[state=closed]:slide-out-to-bottom data-[state=open]:slide-in-from-bottom",
};

/** A dialog at one side of the screen. */
export function SheetContent({
  side,
  ...props
}: ComponentProps<typeof SheetPrimitive.Content> & { side: keyof typeof SIDES }) {
  return <DialogContent look={cn(SHEET, SIDES[side])} {...props} />;
}

export const SheetHeader = part("div", "sheet-header", "flex flex-col gap-1 p-5 pe-14");

export const SheetFooter = part("div", "sheet-footer", "mt-auto flex base:flex-col gap-2 border-t p-5");

export const SheetTitle = part(SheetPrimitive.Title, "sheet-title", "font-semibold text-lg leading-snug");

export const SheetDescription = part(
  SheetPrimitive.Description,
  "sheet-description",
  "text-pretty text-muted-foreground text-sm",
);
