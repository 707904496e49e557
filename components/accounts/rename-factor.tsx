"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { TextField } from "@/components/forms/text-fields";
import {
  Dialog,
  DialogCancel,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "@/components/ui/dialog";
import { type Factor, renameFactorSchema } from "@/lib/accounts/model/second-factor";
import type { ActionResult } from "@/lib/domain/errors";

/** Renames a second factor, so that its user knows which device it is. */
export function RenameFactor({
  factor,
  action,
  children,
}: {
  factor: Factor;
  action: (input: { id: string; name: string }) => Promise<ActionResult<unknown>>;
  children: ReactNode;
}) {
  const t = useTranslations("factors");
  const router = useRouter();
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>{children}</DialogTrigger>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("renameOne", { name: factor.name })}</DialogTitle>
          <DialogDescription>{t("renameText")}</DialogDescription>
        </DialogHeader>
        <ActionForm
          schema={renameFactorSchema}
          action={action}
          defaultValues={{ id: factor.id, name: factor.name }}
          onSuccess={() => {
            setOpen(false);
            router.refresh();
          }}
        >
          <TextField name="name" label={t("name")} autoComplete="off" />
          <DialogFooter>
            <DialogCancel />
            <SubmitButton>{t("save")}</SubmitButton>
          </DialogFooter>
        </ActionForm>
      </DialogContent>
    </Dialog>
  );
}
