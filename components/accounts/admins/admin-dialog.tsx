"use client";

import { PlusIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import type { inviteAdminAction } from "@/app/(admin)/admin/(settings)/administrators/actions";
import { SelectField } from "@/components/forms/choice-fields";
import { FormDialog } from "@/components/forms/form-dialog";
import { EmailField, TextField } from "@/components/forms/text-fields";
import { ADMIN_ROLES, inviteAdminSchema } from "@/lib/accounts/model/admin";

/** Invites an administrator by e-mail. */
export function InviteAdmin({ invite }: { invite: typeof inviteAdminAction }) {
  const t = useTranslations("admins");
  const staff = useTranslations("staffMenu");
  const roles = useTranslations("roles");
  const label = (
    <>
      <PlusIcon aria-hidden /> {t("invite")}
    </>
  );
  return (
    <FormDialog
      trigger={{ variant: "default", children: label }}
      title={t("invite")}
      description={t("inviteText")}
      schema={inviteAdminSchema}
      action={invite}
      defaultValues={{ firstName: "", lastName: "", email: "", role: "admin" }}
      submit={{ children: t("send") }}
      done={({ email }) => staff("invited", { email })}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField name="firstName" label={t("firstName")} autoComplete="off" />
        <TextField name="lastName" label={t("lastName")} autoComplete="off" />
      </div>
      <EmailField name="email" label={t("email")} autoComplete="off" />
      <SelectField
        name="role"
        label={t("role")}
        options={ADMIN_ROLES.map((value) => ({ value, label: roles(`${value}.label`) }))}
      />
    </FormDialog>
  );
}
