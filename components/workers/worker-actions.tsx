"use client";

import { KeyRoundIcon, PlusIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import {
  createWorkerAction,
  inviteWorkerAction,
  removeWorkerPinAction,
  updateWorkerAction,
} from "@/app/_panels/actions";
import { ActionMenu } from "@/components/data/action-menu";
import { askedAction } from "@/components/data/confirm-dialog";
import { useStaffActions } from "@/components/data/staff-actions";
import { type Option, SelectField } from "@/components/forms/choice-fields";
import { editAction, FormDialog } from "@/components/forms/form-dialog";
import { EmailField, PhoneField, TextField } from "@/components/forms/text-fields";
import { useNotify } from "@/components/ui/notify";
import { formatPhone } from "@/lib/domain/contact";
import { createWorkerSchema, updateWorkerSchema } from "@/lib/workers/model";
import type { Worker } from "@/lib/workers/names";

const editSchema = updateWorkerSchema
  .omit({ active: true })
  .required({ firstName: true, lastName: true, email: true, phone: true });

/** Adds an employee, who gets a link to set a password. */
export function AddWorker({
  branches,
  merchantId,
}: {
  branches: readonly Option[];
  /** Given by a super_admin. */
  merchantId: string | undefined;
}) {
  const t = useTranslations("workers");
  return (
    <FormDialog
      trigger={{ variant: "default", icon: PlusIcon, children: t("add") }}
      title={t("add")}
      description={t("addText")}
      schema={createWorkerSchema}
      action={createWorkerAction}
      defaultValues={{
        merchantId,
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

/** The menu of an employee: edit, send the invitation again, remove the PIN, disable, enable. */
export function WorkerMenu({
  worker,
  branches,
}: {
  worker: Omit<Worker, "today" | "merchant" | "createdAt">;
  /** Null where they are not known: nothing can be edited then. */
  branches: readonly Option[] | null;
}) {
  const t = useTranslations("workers");
  const notify = useNotify();
  const { id, firstName, lastName, email, phone, branch, status } = worker;
  const name = `${firstName} ${lastName}`;
  const { enable, disable, again } = useStaffActions({
    name,
    email,
    enableText: t("enableText"),
    disableText: t("disableText"),
    setActive: (active) => updateWorkerAction({ id, active }),
    invite: () => inviteWorkerAction({ id }),
  });
  const edit =
    branches &&
    editAction(t("editShort"), t("save"), {
      title: t("edit"),
      description: t("editText"),
      schema: editSchema,
      action: updateWorkerAction,
      defaultValues: {
        id,
        firstName,
        lastName,
        email,
        phone: phone ? formatPhone(phone) : "",
        // An archived home branch is not among the options.
        branchId: branch?.id,
      },
      children: <WorkerFields branches={branches} emailFixed={status === "active"} />,
    });
  const withoutPin = askedAction({
    label: t("removePin"),
    icon: KeyRoundIcon,
    variant: "destructive",
    title: t("removePinOne", { name }),
    description: t("removePinText"),
    run: () => removeWorkerPinAction({ id }),
    onDone: ({ removed }) => notify.success(removed ? t("pinRemoved", { email }) : t("noPin", { name })),
  });
  const open = [edit, status === "invited" ? again : withoutPin, disable].filter((one) => one !== null);
  return <ActionMenu label={t("actionsOf", { name })} actions={status === "disabled" ? [enable] : open} />;
}
