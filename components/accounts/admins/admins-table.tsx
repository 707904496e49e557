"use client";

import { ShieldCheckIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type Column, DataTable } from "@/components/data/data-table";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty";
import type { Admin } from "@/lib/accounts/model/admin";
import { AdminMenu } from "./admin-actions";

const STATUS = { active: "success", invited: "warning", disabled: "secondary" } as const;

/** The administrators with their roles, states and second factors. Nobody disables themselves here. */
export function AdminsTable({ admins, ownId }: { admins: readonly Admin[]; ownId: string }) {
  const t = useTranslations("admins");
  const roles = useTranslations("roles");
  const columns: Column<Admin>[] = [
    {
      key: "name",
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
    { key: "role", header: t("role"), phone: "line", cell: (admin) => roles(`${admin.role}.label`) },
    {
      key: "status",
      header: t("status"),
      phone: "aside",
      cell: (admin) => <Badge variant={STATUS[admin.status]}>{t(`statuses.${admin.status}`)}</Badge>,
    },
    {
      key: "factor",
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
      key: "actions",
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
      rowKey={(admin) => admin.id}
      empty={<EmptyState icon={ShieldCheckIcon} title={t("caption")} description={t("intro")} />}
    />
  );
}
