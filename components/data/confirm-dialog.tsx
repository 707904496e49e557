"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { useAction } from "@/components/accounts/session/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button, type ButtonProps } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import type { ActionResult } from "@/lib/domain/errors";
import type { MenuAction } from "./action-menu";

export type ConfirmProps<R> = {
  title: ReactNode;
  description: ReactNode;
  confirmLabel: ReactNode;
  confirmVariant?: ButtonProps["variant"];
  run: () => Promise<ActionResult<R>>;
  /** Called after success, in place of a refresh of the page. */
  onDone?: (data: R) => void;
};

/** Asks for confirmation, then runs an action. Open at first; `children` is its button, where it has one. */
export function ConfirmDialog<R>({
  title,
  description,
  confirmLabel,
  confirmVariant = "destructive",
  run,
  onDone,
  onClose,
  children,
}: ConfirmProps<R> & { onClose?: () => void; children?: ReactNode }) {
  const router = useRouter();
  const [open, setOpened] = useState(true);
  const setOpen = (on: boolean) => {
    setOpened(on);
    if (!on) onClose?.();
  };
  const { pending, run: runAction } = useAction();
  const confirm = () => {
    if (pending) return;
    const done = (data: R) => {
      setOpen(false);
      if (onDone) onDone(data);
      else router.refresh();
    };
    runAction(run, done, () => {
      setOpen(false);
      return false;
    });
  };
  return (
    <AlertDialog
      open={open}
      onOpenChange={setOpen}
      trigger={children}
      title={title}
      description={description}
    >
      <Button variant={confirmVariant} aria-disabled={pending || undefined} onClick={confirm}>
        {pending && <Spinner />}
        {confirmLabel}
      </Button>
    </AlertDialog>
  );
}

type Asked<R> = Omit<MenuAction, "dialog"> &
  Omit<ConfirmProps<R>, "confirmLabel" | "confirmVariant"> & { confirmLabel?: string };

/** An entry of a row's menu that asks for confirmation first. Its own label confirms, unless another is given. */
export function askedAction<R>({ label, icon, variant, ...ask }: Asked<R>): MenuAction {
  return {
    label,
    icon,
    variant,
    dialog: (close) => (
      <ConfirmDialog confirmLabel={label} confirmVariant={variant ?? "default"} {...ask} onClose={close} />
    ),
  };
}
