"use client";

import { PlusIcon } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import type { FieldValues } from "react-hook-form";
import { FormDialog, type FormDialogProps } from "./form-dialog";

type AddDialogProps<I extends FieldValues, R> = Pick<
  FormDialogProps<I, R>,
  "schema" | "defaultValues" | "description" | "action" | "children"
> & {
  /** The text of the button and of the dialog's title. */
  label: string;
  /** The label of the button that submits. */
  submit?: string;
  /** The dialog that shows the secret of what was added. */
  shown: (made: R, close: () => void) => ReactNode;
};

/** A button that opens a form to add something with a secret. The secret is shown after the form, once: no later answer has it. */
export function AddDialog<I extends FieldValues, R>({
  label,
  submit = label,
  shown,
  ...form
}: AddDialogProps<I, R>) {
  const made = useRef<R | null>(null);
  const [told, tell] = useState<R | null>(null);
  return (
    <>
      <FormDialog
        {...form}
        trigger={{
          variant: "default",
          children: (
            <>
              <PlusIcon aria-hidden /> {label}
            </>
          ),
        }}
        title={label}
        submit={{ children: submit }}
        onDone={(added) => {
          made.current = added;
        }}
        onGone={() => {
          tell(made.current);
          made.current = null;
        }}
      />
      {told && shown(told, () => tell(null))}
    </>
  );
}
