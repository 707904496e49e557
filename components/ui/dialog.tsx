"use client";

import { XIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Dialog as DialogPrimitive } from "radix-ui";
import { type ComponentProps, type ReactNode, useRef, useState } from "react";
import { Button } from "./button";
import { DialogSending } from "./dialog-sending";
import { cn, part } from "./utils";

/** A dialog, open by the caller's state. */
export function Dialog({ onOpenChange, ...props }: ComponentProps<typeof DialogPrimitive.Root>) {
  const sending = useRef(false);
  return (
    <DialogSending value={sending}>
      <DialogPrimitive.Root
        {...props}
        onOpenChange={(open) => {
          if (open || !sending.current) onOpenChange?.(open);
        }}
      />
    </DialogSending>
  );
}
export const DialogTrigger = DialogPrimitive.Trigger;
export const DialogPortal = DialogPrimitive.Portal;

type OpenedDialogProps = {
  button: ReactNode;
  className?: string;
  children: (close: () => void) => ReactNode;
};

/** A dialog around the button that opens it, and open at first, because DialogButton loads it with a press. */
export function OpenedDialog({ button, className, children }: OpenedDialogProps) {
  const [open, setOpen] = useState(true);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>{button}</DialogTrigger>
      <DialogContent className={className}>{children(() => setOpen(false))}</DialogContent>
    </Dialog>
  );
}

const overlayClass =
  "data-[state=closed]:animate-out data-[state=open]:animate-in data-[state=closed]:fade-out-0 data-[state=open]:fade-in-0 fixed inset-0 z-50 bg-slate-950/55 backdrop-blur-[2px]";

const modalClass =
  "data-[state=closed]:animate-out data-[state=open]:animate-in data-[state=closed]:fade-out-0 data-[state=open]:fade-in-0 data-[state=closed]:zoom-out-98 data-[state=open]:zoom-in-98 fixed base:inset-x-4 base:top-1/2 z-50 base:mx-auto base:flex base:max-h-[calc(100dvh-2rem)] base:max-w-lg base:-translate-y-1/2 flex-col base:gap-5 base:overflow-y-auto overscroll-contain wrap-break-word base:rounded-xl base:border bg-popover base:p-5 text-popover-foreground shadow-xl duration-150 base:sm:p-6 base:landscape-phone:max-h-[calc(100dvh-1rem)] base:landscape-phone:gap-3 base:landscape-phone:p-4";

/** On closing it returns the focus, as Radix does for its own trigger. `look` are the classes of its kind. */
export function DialogContent({
  look = modalClass,
  className,
  children,
  showClose = true,
  onOpenAutoFocus,
  onCloseAutoFocus,
  ...props
}: ComponentProps<typeof DialogPrimitive.Content> & { look?: string; showClose?: boolean }) {
  const opener = useRef<Element | null>(null);
  return (
    <DialogPortal>
      <DialogPrimitive.Overlay className={overlayClass} />
      <DialogPrimitive.Content
        className={cn(look, className)}
        {...props}
        onOpenAutoFocus={(event) => {
          opener.current = document.activeElement;
          onOpenAutoFocus?.(event);
        }}
        onCloseAutoFocus={(event) => {
          onCloseAutoFocus?.(event);
          const { current } = opener;
          if (!event.defaultPrevented && current instanceof HTMLElement) current.focus();
        }}
      >
        {children}
        {showClose && <CloseButton />}
      </DialogPrimitive.Content>
    </DialogPortal>
  );
}

/** The title of a dialog, and a sentence below the title where it needs one. */
export function DialogHeader({ title, text }: { title: ReactNode; text?: ReactNode }) {
  return (
    <div data-slot="dialog-header" className="flex flex-col gap-1.5 [&_[data-slot=dialog-title]]:pe-8">
      <DialogTitle>{title}</DialogTitle>
      {text && (
        <DialogPrimitive.Description
          data-slot="dialog-description"
          className="text-pretty text-muted-foreground text-sm"
        >
          {text}
        </DialogPrimitive.Description>
      )}
    </div>
  );
}

function CloseButton() {
  const t = useTranslations("common");
  return (
    <DialogPrimitive.Close
      className="absolute end-3 top-3 inline-flex size-9 items-center justify-center rounded-md text-muted-foreground transition-colors hover:bg-accent hover:text-foreground pointer-coarse:end-2 pointer-coarse:top-2 pointer-coarse:size-11 [&_svg]:size-4"
      aria-label={t("close")}
    >
      <XIcon aria-hidden />
    </DialogPrimitive.Close>
  );
}

export const DialogFooter = part(
  "div",
  "dialog-footer",
  "flex flex-col-reverse gap-2 sm:flex-row sm:justify-end",
);

/** The cancel button of a dialog. */
export function DialogCancel() {
  const t = useTranslations("shell");
  return (
    <DialogPrimitive.Close asChild>
      <Button variant="outline">{t("cancel")}</Button>
    </DialogPrimitive.Close>
  );
}

export const DialogTitle = part(
  DialogPrimitive.Title,
  "dialog-title",
  "font-semibold base:text-lg base:leading-snug",
);
