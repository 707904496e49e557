"use client";

import { ArchiveIcon, ArchiveRestoreIcon, PlusIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import {
  createBranchAction,
  createOutletAction,
  removeBranchAction,
  removeOutletAction,
  updateBranchAction,
  updateOutletAction,
} from "@/app/_panels/actions";
import { ActionMenu } from "@/components/data/action-menu";
import { askedAction } from "@/components/data/confirm-dialog";
import { type Option, SelectField } from "@/components/forms/choice-fields";
import { editAction, FormDialog } from "@/components/forms/form-dialog";
import { TextField } from "@/components/forms/text-fields";
import { useNotify } from "@/components/ui/notify";
import { createBranchSchema, updateBranchSchema } from "@/lib/branches/model";
import type { Branch } from "@/lib/branches/names";

/** The calls of an owner, and of an administrator, who calls branches outlets. */
const OWNERS = { create: createBranchAction, update: updateBranchAction, remove: removeBranchAction };
const ADMINISTRATORS = { create: createOutletAction, update: updateOutletAction, remove: removeOutletAction };

/** Adds a branch. With `merchants` (for administrators) the form also asks for the merchant. */
export function AddBranch({ merchants }: { merchants: readonly Option[] | null }) {
  const t = useTranslations("branches");
  const label = t(merchants ? "addOutlet" : "add");
  return (
    <FormDialog
      trigger={{ variant: "default", icon: PlusIcon, children: label }}
      title={label}
      description={t("addText")}
      schema={merchants ? createBranchSchema.required({ merchantId: true }) : createBranchSchema}
      action={(merchants ? ADMINISTRATORS : OWNERS).create}
      defaultValues={{ name: "", nameAr: "", city: "", ...(merchants && { merchantId: "" }) }}
      submit={{ children: t("save") }}
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
    </FormDialog>
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
    </>
  );
}

/** The menu of a branch: edit, archive, reopen. */
export function BranchMenu({ branch, ofOutlet }: { branch: Branch; ofOutlet: boolean }) {
  const t = useTranslations("branches");
  const notify = useNotify();
  const router = useRouter();
  const { id, name, nameAr, city } = branch;
  const { update, remove } = ofOutlet ? ADMINISTRATORS : OWNERS;
  const reopen = askedAction({
    label: t("reopen"),
    icon: ArchiveRestoreIcon,
    title: t("reopen"),
    description: t("reopenText", { name }),
    run: () => update({ id, archived: false }),
  });
  const edit = editAction(t("editShort"), t("save"), {
    title: t("edit"),
    schema: updateBranchSchema.required({ name: true, city: true }),
    action: update,
    defaultValues: { id, name, nameAr: nameAr ?? "", city },
    children: <BranchFields />,
  });
  const archive = askedAction({
    label: t("archive"),
    icon: ArchiveIcon,
    variant: "destructive",
    title: t("archiveOne", { name }),
    description: t("archiveText", { workers: branch.workers }),
    run: () => remove({ id }),
    onDone: ({ archived }) => {
      if (!archived) notify.success(t("deleted"));
      router.refresh();
    },
  });
  return (
    <ActionMenu label={t("actionsOf", { name })} actions={branch.archivedAt ? [reopen] : [edit, archive]} />
  );
}
