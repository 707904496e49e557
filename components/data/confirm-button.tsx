"use client";

import type { ButtonProps } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/use-loaded";
import type { ConfirmProps } from "./confirm-dialog";

const load = () => import("./confirm-dialog");

/** A button that asks for confirmation, then runs an action. A refusal becomes a notification. */
export function ConfirmButton<R>({
  title,
  description,
  confirmLabel,
  confirmVariant,
  run,
  onDone,
  ...props
}: Omit<ButtonProps, "onClick" | "title"> & ConfirmProps<R>) {
  const question = { title, description, confirmLabel, confirmVariant, run, onDone };
  return (
    <DialogButton
      load={load}
      dialog={({ ConfirmDialog }, button) => <ConfirmDialog {...question}>{button}</ConfirmDialog>}
      {...props}
    />
  );
}
