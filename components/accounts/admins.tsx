"use client";

import { PlusIcon, ShieldCheckIcon, ShieldIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { changeAdminAction, inviteAdminAction } from "@/app/(admin)/admin/(settings)/actions";
import { ActionMenu } from "@/components/data/action-menu";
import { askedAction } from "@/components/data/confirm-dialog";
import { type Column, DataTable } from "@/components/data/data-table";
import { useStaffActions } from "@/components/data/staff-actions";
import { SelectField } from "@/components/forms/choice-fields";
import { FormDialog } from "@/components/forms/form-dialog";
import { EmailField, TextField } from "@/components/forms/text-fields";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty";
import { ADMIN_ROLES, inviteAdminSchema } from "@/lib/accounts/model/account";
import type { Admin } from "@/lib/accounts/names";

export function InviteAdmin() {
  const t = useTranslations("admins");
  const staff = useTranslations("staffMenu");
  const roles = useTranslations("roles");
  return (
    <FormDialog
      trigger={{ variant: "default", icon: PlusIcon, children: t("invite") }}
      title={t("invite")}
      description={t("inviteText")}
      schema={inviteAdminSchema}
      action={inviteAdminAction}
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

function AdminMenu({ admin }: { admin: Admin }) {
  const t = useTranslations("admins");
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
    label: t("changeRole"),
    icon: ShieldIcon,
    title: t("roleOne", { name }),
    description: t(`roleText.${role}`),
    run: () => changeAdminAction({ id, role }),
  });
  const open = status === "invited" ? [again, changeRole, disable] : [changeRole, disable];
  return <ActionMenu label={t("actionsOf", { name })} actions={status === "disabled" ? [enable] : open} />;
}

const STATUS = { active: "success", invited: "warning", disabled: "secondary" } as const;

/** The administrators with their roles, states and second factors. Nobody disables themselves here. */
export function AdminsTable({ admins, ownId }: { admins: readonly Admin[]; ownId: string }) {
  const t = useTranslations("admins");
  const roles = useTranslations("roles");
  const columns: Column<Admin>[] = [
    {
      header: t("name"),
      primary: true,
      cell: (admin) => (
        <span className="flex min-w-0 flex-col">
          <bdi>
            {admin.firstName} {admin.lastName}
          </bdi>
          <bdi className="break-all font-normal text-muted-foreground text-xs">{admin.email}</bdi>
        </span>
      ),
    },
    { header: t("role"), cell: (admin) => roles(`${admin.role}.label`) },
    {
      header: t("status"),
      phone: "aside",
      cell: (admin) => <Badge variant={STATUS[admin.status]}>{t(`statuses.${admin.status}`)}</Badge>,
    },
    {
      header: t("factor"),
      phone: "below",
      cell: (admin) => (
        <>
          <span className="@max-[900px]/list:inline hidden">{t("factor")}: </span>
          {admin.secondFactor ? t("factorSet") : t("factorNone")}
        </>
      ),
    },
    {
      header: t("actions"),
      actions: true,
      cell: (admin) =>
        admin.id === ownId ? (
          <span className="@max-[900px]/list:me-2.5 text-muted-foreground text-sm">{t("you")}</span>
        ) : (
          <AdminMenu admin={admin} />
        ),
    },
  ];
  return (
    <DataTable
      caption={t("caption")}
      columns={columns}
      rows={admins}
      empty={<EmptyState icon={ShieldCheckIcon} title={t("caption")} description={t("intro")} />}
    />
  );
}
