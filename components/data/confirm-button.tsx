"use client";

import type { LucideIcon } from "lucide-react";
import type { ButtonProps } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/use-loaded";
import type { ConfirmProps } from "./confirm-dialog";

const load = () => import("./confirm-dialog");

type ConfirmButtonProps<R> = Omit<ButtonProps, "onClick" | "title"> &
  Omit<ConfirmProps<R>, "confirmLabel" | "title"> &
  Partial<Pick<ConfirmProps<R>, "confirmLabel" | "title">> & { icon?: LucideIcon; label?: string };

/** A button that asks for confirmation, then runs an action. A refusal becomes a notification. `children` replace its label. */
export function ConfirmButton<R>({
  icon: Icon,
  label,
  title = label,
  description,
  confirmLabel = label,
  confirmVariant,
  run,
  onDone,
  children = label,
  ...props
}: ConfirmButtonProps<R>) {
  const question = { title, description, confirmLabel, confirmVariant, run, onDone };
  return (
    <DialogButton
      load={load}
      dialog={({ ConfirmDialog }, button) => <ConfirmDialog {...question}>{button}</ConfirmDialog>}
      variant="outline"
      {...props}
    >
      {Icon && <Icon aria-hidden />} {children}
    </DialogButton>
  );
}
