"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import type { z } from "zod";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { type Option, SelectField } from "@/components/forms/choice-fields";
import { EmailField, PhoneField, TextField } from "@/components/forms/text-fields";
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
import { useNotify } from "@/components/ui/notify";
import { formatPhone } from "@/lib/domain/contact";
import type { ActionResult } from "@/lib/domain/errors";
import { createWorkerSchema, updateWorkerSchema, type Worker } from "@/lib/workers/model";

/** The server actions on employees. */
export type WorkerActionSet = {
  create: (input: z.input<typeof createWorkerSchema>) => Promise<ActionResult<Worker>>;
  update: (input: z.input<typeof updateWorkerSchema>) => Promise<ActionResult<Worker>>;
  invite: (input: { id: string }) => Promise<ActionResult<{ sent: true }>>;
  removePin: (input: { id: string }) => Promise<ActionResult<{ removed: boolean }>>;
};

const addSchema = createWorkerSchema.omit({ merchantId: true });
const editSchema = updateWorkerSchema
  .omit({ active: true })
  .required({ firstName: true, lastName: true, email: true, phone: true });

/** Adds an employee, who gets a link to set a password. With `worker`, it edits that employee. */
export function WorkerDialog({
  worker,
  branches,
  merchantId,
  create,
  update,
  onClose,
  children,
}: Pick<WorkerActionSet, "create" | "update"> & {
  worker?: Omit<Worker, "today" | "merchant" | "createdAt">;
  /** The merchant of the added employee, if a super_admin adds one. */
  merchantId?: string;
  /** The open branches, from which the home branch is chosen. */
  branches: readonly Option[];
  /** Called when the dialog closes. Without a button (`children`) the dialog is open at first. */
  onClose?: () => void;
  children?: ReactNode;
}) {
  const t = useTranslations("workers");
  const [open, setOpened] = useState(!children);
  const setOpen = (on: boolean) => {
    setOpened(on);
    if (!on) onClose?.();
  };
  const notify = useNotify();
  const router = useRouter();
  const done = (text?: string) => {
    setOpen(false);
    if (text) notify.success(text);
    router.refresh();
  };
  const add = (input: z.input<typeof addSchema>) => create(merchantId ? { ...input, merchantId } : input);
  const fields = (
    <WorkerFields branches={branches} emailFixed={worker ? worker.status === "active" : false} />
  );
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      {children && <DialogTrigger asChild>{children}</DialogTrigger>}
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{worker ? t("edit") : t("add")}</DialogTitle>
          <DialogDescription>{worker ? t("editText") : t("addText")}</DialogDescription>
        </DialogHeader>
        {worker ? (
          <ActionForm
            schema={editSchema}
            action={update}
            defaultValues={{
              id: worker.id,
              firstName: worker.firstName,
              lastName: worker.lastName,
              email: worker.email,
              phone: worker.phone ? formatPhone(worker.phone) : "",
              // An archived home branch is not among the options.
              branchId: worker.branch?.id,
            }}
            onSuccess={() => done()}
          >
            {fields}
          </ActionForm>
        ) : (
          <ActionForm
            schema={addSchema}
            action={add}
            defaultValues={{
              firstName: "",
              lastName: "",
              email: "",
              phone: "",
              branchId: branches.length === 1 ? branches[0]?.value : "",
            }}
            onSuccess={({ email }) => done(t("added", { email }))}
          >
            {fields}
          </ActionForm>
        )}
      </DialogContent>
    </Dialog>
  );
}

function WorkerFields({ branches, emailFixed }: { branches: readonly Option[]; emailFixed: boolean }) {
  const t = useTranslations("workers");
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField name="firstName" label={t("firstName")} autoComplete="off" />
        <TextField name="lastName" label={t("lastName")} autoComplete="off" />
      </div>
      <EmailField
        name="email"
        label={t("email")}
        autoComplete="off"
        readOnly={emailFixed}
        hint={emailFixed ? t("emailFixed") : undefined}
      />
      <PhoneField name="phone" label={t("phone")} autoComplete="off" />
      <SelectField
        name="branchId"
        label={t("branch")}
        hint={t("branchHint")}
        options={branches}
        placeholder={t("chooseBranch")}
      />
      <DialogFooter>
        <DialogCancel />
        <SubmitButton>{t("save")}</SubmitButton>
      </DialogFooter>
    </>
  );
}
