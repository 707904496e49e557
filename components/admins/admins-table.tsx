"use client";

import { ShieldCheckIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { z } from "zod";
import { ConfirmButton } from "@/components/data/confirm-button";
import { type Column, DataTable } from "@/components/data/data-table";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty";
import { useNotify } from "@/components/ui/notify";
import type { Admin, changeAdminSchema } from "@/lib/domain/admin";
import type { ActionResult } from "@/lib/domain/errors";

type Change = (input: z.input<typeof changeAdminSchema>) => Promise<ActionResult<Admin>>;

const STATUS = { active: "success", invited: "warning", disabled: "secondary" } as const;

function AdminActions({ admin, change }: { admin: Admin; change: Change }) {
  const t = useTranslations("admins");
  const notify = useNotify();
  const router = useRouter();
  const { id, email } = admin;
  const name = `${admin.firstName} ${admin.lastName}`;
  const done = () => router.refresh();
  const role = admin.role === "admin" ? "super_admin" : "admin";
  if (admin.status === "disabled") {
    return (
      <ConfirmButton
        variant="outline"
        size="sm"
        title={t("enableOne", { name })}
        description={t("enableText")}
        confirmLabel={t("enable")}
        confirmVariant="default"
        run={() => change({ id, active: true })}
        onDone={done}
      >
        {t("enable")}
      </ConfirmButton>
    );
  }
  return (
    <div className="inline-flex flex-wrap justify-end gap-2">
      {admin.status === "invited" && (
        <ConfirmButton
          variant="outline"
          size="sm"
          title={t("inviteAgain")}
          description={t("inviteAgainText", { email })}
          confirmLabel={t("send")}
          confirmVariant="default"
          run={() => change({ id, invite: true })}
          onDone={() => notify.success(t("invited", { email }))}
        >
          {t("inviteAgainShort")}
        </ConfirmButton>
      )}
      <ConfirmButton
        variant="outline"
        size="sm"
        title={t("roleOne", { name })}
        description={t(`roleText.${role}`)}
        confirmLabel={t("changeRole")}
        confirmVariant="default"
        run={() => change({ id, role })}
        onDone={done}
      >
        {t("changeRole")}
      </ConfirmButton>
      <ConfirmButton
        variant="outline"
        size="sm"
        title={t("disableOne", { name })}
        description={t("disableText")}
        confirmLabel={t("disable")}
        run={() => change({ id, active: false })}
        onDone={done}
      >
        {t("disable")}
      </ConfirmButton>
    </div>
  );
}

/** The administrators with their roles, states and second factors. Nobody disables themselves here. */
export function AdminsTable({
  admins,
  ownId,
  change,
}: {
  admins: readonly Admin[];
  ownId: string;
  change: Change;
}) {
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
      cell: (admin) => (admin.secondFactor ? t("factorSet") : t("factorNone")),
    },
    {
      key: "actions",
      header: t("actions"),
      actions: true,
      cell: (admin) =>
        admin.id === ownId ? (
          <span className="text-muted-foreground text-sm">{t("you")}</span>
        ) : (
          <AdminActions admin={admin} change={change} />
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
