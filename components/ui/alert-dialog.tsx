"use client";

import type { ComponentProps, ReactNode } from "react";
import { Dialog, DialogCancel, DialogContent, DialogHeader, DialogTrigger } from "./dialog";

/** A question, with Cancel beside the buttons that answer it. A press outside does not close it. */
export function AlertDialog({
  trigger,
  title,
  description,
  children,
  ...root
}: ComponentProps<typeof Dialog> & { trigger?: ReactNode; title: ReactNode; description: ReactNode }) {
  return (
    <Dialog {...root}>
      {trigger && <DialogTrigger asChild>{trigger}</DialogTrigger>}
      <DialogContent
        role="alertdialog"
        showClose={false}
        className="max-w-md"
        onInteractOutside={(event) => event.preventDefault()}
      >
        <DialogHeader title={title} text={description} />
        <div className="flex flex-wrap-reverse gap-2 *:grow sm:justify-end sm:*:grow-0">
          <DialogCancel />
          {children}
        </div>
      </DialogContent>
    </Dialog>
  );
}
