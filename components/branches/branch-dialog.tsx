"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import type { z } from "zod";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { type Option, SelectField } from "@/components/forms/choice-fields";
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
import { type Branch, createBranchSchema, updateBranchSchema } from "@/lib/branches/model";
import type { ActionResult } from "@/lib/domain/errors";

/** Adds a branch. With `merchants` (for administrators) the form also asks for the merchant. */
export function AddBranchDialog({
  create,
  merchants,
  children,
}: {
  create: CreateBranchAction;
  merchants?: readonly Option[];
  children: ReactNode;
}) {
  const t = useTranslations("branches");
  const { open, setOpen, done } = useDialog();
  const schema = merchants ? createBranchSchema.required({ merchantId: true }) : createBranchSchema;
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>{children}</DialogTrigger>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t(merchants ? "addOutlet" : "add")}</DialogTitle>
          <DialogDescription>{t("addText")}</DialogDescription>
        </DialogHeader>
        <ActionForm
          schema={schema}
          action={create}
          defaultValues={{ name: "", nameAr: "", city: "", ...(merchants ? { merchantId: "" } : {}) }}
          onSuccess={done}
        >
          {merchants && (
            <SelectField
              name="merchantId"
              label={t("merchant")}
              options={merchants}
              placeholder={t("chooseMerchant")}
            />
          )}
          <BranchFields />
        </ActionForm>
      </DialogContent>
    </Dialog>
  );
}

/** Changes a branch's name and city. Open at first. */
export function EditBranchDialog({
  branch,
  update,
  onClose,
}: {
  branch: Branch;
  update: UpdateBranchAction;
  onClose: () => void;
}) {
  const t = useTranslations("branches");
  const { done } = useDialog();
  return (
    <Dialog open onOpenChange={(on) => !on && onClose()}>
      <DialogContent aria-describedby={undefined}>
        <DialogHeader>
          <DialogTitle>{t("edit")}</DialogTitle>
        </DialogHeader>
        <ActionForm
          schema={updateBranchSchema.required({ name: true, city: true })}
          action={update}
          defaultValues={{ id: branch.id, name: branch.name, nameAr: branch.nameAr ?? "", city: branch.city }}
          onSuccess={() => {
            onClose();
            done();
          }}
        >
          <BranchFields />
        </ActionForm>
      </DialogContent>
    </Dialog>
  );
}

function BranchFields() {
  const t = useTranslations("branches");
  return (
    <>
      <TextField name="name" label={t("name")} autoComplete="off" maxLength={80} />
      <TextField
        name="nameAr"
        label={t("nameAr")}
        hint={t("nameArHint")}
        dir="auto"
        autoComplete="off"
        maxLength={80}
      />
      <TextField name="city" label={t("city")} autoComplete="off" maxLength={80} />
      <DialogFooter>
        <DialogCancel />
        <SubmitButton>{t("save")}</SubmitButton>
      </DialogFooter>
    </>
  );
}

/** The state of a dialog; `done` closes it and refreshes the list. */
function useDialog() {
  const [open, setOpen] = useState(false);
  const router = useRouter();
  const done = () => {
    setOpen(false);
    router.refresh();
  };
  return { open, setOpen, done };
}

export type CreateBranchAction = (input: z.input<typeof createBranchSchema>) => Promise<ActionResult<Branch>>;
export type UpdateBranchAction = (input: z.input<typeof updateBranchSchema>) => Promise<ActionResult<Branch>>;
export type RemoveBranchAction = (input: { id: string }) => Promise<ActionResult<{ archived: boolean }>>;
