"use client";

import { PlusIcon, ShieldIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import {
  changeAdminAction,
  type inviteAdminAction,
} from "@/app/(admin)/admin/(settings)/administrators/actions";
import { ActionMenu } from "@/components/data/action-menu";
import { askedAction } from "@/components/data/confirm-dialog";
import { useStaffActions } from "@/components/data/staff-actions";
import { SelectField } from "@/components/forms/choice-fields";
import { FormDialog } from "@/components/forms/form-dialog";
import { EmailField, TextField } from "@/components/forms/text-fields";
import { ADMIN_ROLES, type Admin, inviteAdminSchema } from "@/lib/accounts/model/admin";

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

/** The menu of an administrator: invite again, change the role, disable, enable. */
export function AdminMenu({ admin }: { admin: Admin }) {
  const t = useTranslations("admins");
  const router = useRouter();
  const { id, email, status } = admin;
  const name = `${admin.firstName} ${admin.lastName}`;
  const role = admin.role === "admin" ? "super_admin" : "admin";
  const { enable, disable, again } = useStaffActions({
    name,
    email,
    enableText: t("enableText"),
    disableText: t("disableText"),
    setActive: (active) => changeAdminAction({ id, active }),
    invite: () => changeAdminAction({ id, invite: true }),
  });
  const changeRole = askedAction({
    key: "role",
    label: t("changeRole"),
    icon: ShieldIcon,
    title: t("roleOne", { name }),
    description: t(`roleText.${role}`),
    run: () => changeAdminAction({ id, role }),
    onDone: () => router.refresh(),
  });
  const open = status === "invited" ? [again, changeRole, disable] : [changeRole, disable];
  return <ActionMenu label={t("actionsOf", { name })} actions={status === "disabled" ? [enable] : open} />;
}
