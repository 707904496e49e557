"use client";

import { type LucideIcon, PencilIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import type { FieldValues } from "react-hook-form";
import type { MenuAction } from "@/components/data/action-menu";
import { Button, type ButtonProps } from "@/components/ui/button";
import {
  Dialog,
  DialogCancel,
  DialogContent,
  DialogFooter,
  DialogHeader,
  DialogTrigger,
} from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notify";
import type { ActionResult } from "@/lib/domain/errors";
import { ActionForm, type ActionFormProps, SubmitButton } from "./action-form";

export type FormDialogProps<I extends FieldValues, R> = Pick<
  ActionFormProps<I, R>,
  "schema" | "defaultValues"
> & {
  /** Open at first, where the dialog was loaded by the press of its button. */
  defaultOpen?: boolean;
  trigger?: Pick<ButtonProps, "children" | "className" | "variant" | "size" | "aria-label"> & {
    icon?: LucideIcon;
  };
  title: ReactNode;
  description?: ReactNode;
  submit: Pick<ButtonProps, "children" | "variant">;
  /** A server action, or a call of the API. One that posts sends under a key (sendUnderKey), so that it is posted once. */
  action: (input: I) => Promise<ActionResult<R>>;
  /** The toast after success, where the page does not show what was done. */
  done?: string | ((data: R) => string);
  /** The page to open after success; without it the current one is refreshed. */
  opens?: (data: R) => string;
  onClose?: () => void;
  onDone?: (data: R) => void;
  refreshes?: boolean;
  /** Called after it has closed: a dialog that opens then returns the focus to this dialog's button. */
  onGone?: () => void;
  children: ReactNode;
};

/** A button that opens a dialog with a form over one server action. After success it closes, confirms and refreshes. */
export function FormDialog<I extends FieldValues, R>({
  trigger,
  defaultOpen = trigger === undefined,
  title,
  description,
  schema,
  defaultValues,
  submit,
  action,
  done,
  opens,
  onClose,
  onDone,
  refreshes = true,
  onGone,
  children,
}: FormDialogProps<I, R>) {
  const t = useTranslations("forms");
  const notify = useNotify();
  const router = useRouter();
  const [open, setOpened] = useState(defaultOpen);
  const { icon: Icon, children: label, ...look } = trigger ?? {};
  const setOpen = (on: boolean) => {
    setOpened(on);
    if (!on) onClose?.();
  };
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      {trigger && (
        <DialogTrigger asChild>
          <Button variant="outline" {...look}>
            {Icon && <Icon aria-hidden />} {label}
          </Button>
        </DialogTrigger>
      )}
      <DialogContent onCloseAutoFocus={onGone} {...(!description && { "aria-describedby": undefined })}>
        <DialogHeader title={title} text={description} />
        <ActionForm<I, R>
          schema={schema}
          action={action}
          defaultValues={defaultValues}
          onSuccess={(data, _form, replayed) => {
            setOpen(false);
            // A key of a lost answer lives as long as the tab: who meant the same thing twice must hear that it was once.
            if (replayed) notify.neutral(t("repeated"));
            else if (done) notify.success(typeof done === "function" ? done(data) : done);
            if (opens) router.push(opens(data));
            if (refreshes) router.refresh();
            onDone?.(data);
          }}
        >
          {children}
          <DialogFooter>
            <DialogCancel />
            <SubmitButton {...submit} />
          </DialogFooter>
        </ActionForm>
      </DialogContent>
    </Dialog>
  );
}

/** An entry of a row's menu that edits: it opens a form, which a button with the text `save` sends. */
export function editAction<I extends FieldValues, R>(
  label: string,
  save: string,
  form: Omit<FormDialogProps<I, R>, "submit">,
): MenuAction {
  const dialog = (close: () => void) => <FormDialog {...form} submit={{ children: save }} onClose={close} />;
  return { label, icon: PencilIcon, dialog };
}
