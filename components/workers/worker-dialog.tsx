"use client";

import { PlusIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import type { z } from "zod";
import type { createWorkerAction, updateWorkerAction } from "@/app/_panels/actions";
import { type Option, SelectField } from "@/components/forms/choice-fields";
import { FormDialog } from "@/components/forms/form-dialog";
import { EmailField, PhoneField, TextField } from "@/components/forms/text-fields";
import { formatPhone } from "@/lib/domain/contact";
import { createWorkerSchema, updateWorkerSchema, type Worker } from "@/lib/workers/model";

const addSchema = createWorkerSchema.omit({ merchantId: true });
const editSchema = updateWorkerSchema
  .omit({ active: true })
  .required({ firstName: true, lastName: true, email: true, phone: true });

/** Adds an employee, who gets a link to set a password. */
export function AddWorker({
  branches,
  merchantId,
  create,
}: {
  /** The open branches, from which the home branch is chosen. */
  branches: readonly Option[];
  /** The merchant of the added employee, if a super_admin adds one. */
  merchantId: string | undefined;
  create: typeof createWorkerAction;
}) {
  const t = useTranslations("workers");
  const label = (
    <>
      <PlusIcon aria-hidden /> {t("add")}
    </>
  );
  return (
    <FormDialog
      trigger={{ variant: "default", children: label }}
      title={t("add")}
      description={t("addText")}
      schema={addSchema}
      action={(input: z.input<typeof addSchema>) => create(merchantId ? { ...input, merchantId } : input)}
      defaultValues={{
        firstName: "",
        lastName: "",
        email: "",
        phone: "",
        branchId: branches.length === 1 ? branches[0]?.value : "",
      }}
      submit={{ children: t("save") }}
      done={({ email }) => t("added", { email })}
    >
      <WorkerFields branches={branches} emailFixed={false} />
    </FormDialog>
  );
}

/** Edits an employee. Open at first. */
export function EditWorker({
  worker,
  branches,
  update,
  onClose,
}: {
  worker: Omit<Worker, "today" | "merchant" | "createdAt">;
  branches: readonly Option[];
  update: typeof updateWorkerAction;
  onClose: () => void;
}) {
  const t = useTranslations("workers");
  const { id, firstName, lastName, email, phone, branch, status } = worker;
  return (
    <FormDialog
      title={t("edit")}
      description={t("editText")}
      schema={editSchema}
      action={update}
      // An archived home branch is not among the options.
      defaultValues={{
        id,
        firstName,
        lastName,
        email,
        phone: phone ? formatPhone(phone) : "",
        branchId: branch?.id,
      }}
      submit={{ children: t("save") }}
      onClose={onClose}
    >
      <WorkerFields branches={branches} emailFixed={status === "active"} />
    </FormDialog>
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
    </>
  );
}
