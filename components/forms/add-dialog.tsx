"use client";

import { PlusIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useRef, useState } from "react";
import type { FieldValues } from "react-hook-form";
import { CopyButton } from "@/components/data/copy-button";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogFooter, DialogHeader } from "@/components/ui/dialog";
import { FormDialog, type FormDialogProps } from "./form-dialog";

type AddDialogProps<I extends FieldValues, R> = Pick<
  FormDialogProps<I, R>,
  "schema" | "defaultValues" | "description" | "action" | "children"
> & {
  label: string;
  submit?: string;
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
  const { made: told, show, seen } = useShownOnce<R>();
  return (
    <>
      <FormDialog
        {...form}
        trigger={{ variant: "default", icon: PlusIcon, children: label }}
        title={label}
        submit={{ children: submit }}
        refreshes={false}
        onDone={(added) => {
          made.current = added;
        }}
        onGone={() => {
          if (made.current !== null) show(made.current);
          made.current = null;
        }}
      />
      {told && shown(told, seen)}
    </>
  );
}

type ShownSecretProps = {
  texts: "apiKeys" | "webhooks";
  name: string;
  secret: string;
  close: () => void;
};

/** A secret, once, with the texts of its namespace: it is nowhere to be read again. Only its button closes it. */
export function ShownSecret({ texts, name, secret, close }: ShownSecretProps) {
  const t = useTranslations(texts);
  return (
    <Dialog open>
      <DialogContent>
        <DialogHeader title={t("shownOnce", { name })} text={t("shownOnceText")} />
        <output className="block break-all rounded-md border bg-muted p-3 font-mono text-sm" dir="ltr">
          {secret}
        </output>
        <DialogFooter>
          <CopyButton text={secret} label={t("copy")} />
          <Button onClick={close}>{t("done")}</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

/** A secret, shown once. The list is read again only after `seen`: one that fails to load would take the only copy. */
export function useShownOnce<T>() {
  const router = useRouter();
  const [made, show] = useState<T | null>(null);
  const seen = () => {
    show(null);
    router.refresh();
  };
  return { made, show, seen };
}
