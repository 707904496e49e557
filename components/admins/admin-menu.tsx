"use client";

import { MailIcon, ShieldIcon, UserCheckIcon, UserXIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { z } from "zod";
import { ActionMenu, type MenuAction } from "@/components/data/action-menu";
import { ConfirmDialog } from "@/components/data/confirm-dialog";
import { useNotify } from "@/components/ui/notify";
import type { Admin, changeAdminSchema } from "@/lib/domain/admin";
import type { ActionResult } from "@/lib/domain/errors";

export type AdminMenuProps = {
  admin: Admin;
  change: (input: z.input<typeof changeAdminSchema>) => Promise<ActionResult<Admin>>;
};

/** The menu of an administrator: invite again, change the role, disable, enable. Open at first; `children` is its button. */
export function AdminMenu({ admin, change, children }: AdminMenuProps & { children: ReactNode }) {
  const t = useTranslations("admins");
  const notify = useNotify();
  const router = useRouter();
  const { id, email } = admin;
  const name = `${admin.firstName} ${admin.lastName}`;
  const role = admin.role === "admin" ? "super_admin" : "admin";
  const done = () => router.refresh();
  const enable: MenuAction = {
    key: "enable",
    label: t("enable"),
    icon: UserCheckIcon,
    dialog: (close) => (
      <ConfirmDialog
        title={t("enableOne", { name })}
        description={t("enableText")}
        confirmLabel={t("enable")}
        confirmVariant="default"
        run={() => change({ id, active: true })}
        onDone={done}
        onClose={close}
      />
    ),
  };
  const again: MenuAction = {
    key: "again",
    label: t("inviteAgainShort"),
    icon: MailIcon,
    dialog: (close) => (
      <ConfirmDialog
        title={t("inviteAgain")}
        description={t("inviteAgainText", { email })}
        confirmLabel={t("send")}
        confirmVariant="default"
        run={() => change({ id, invite: true })}
        onDone={() => notify.success(t("invited", { email }))}
        onClose={close}
      />
    ),
  };
  const changeRole: MenuAction = {
    key: "role",
    label: t("changeRole"),
    icon: ShieldIcon,
    dialog: (close) => (
      <ConfirmDialog
        title={t("roleOne", { name })}
        description={t(`roleText.${role}`)}
        confirmLabel={t("changeRole")}
        confirmVariant="default"
        run={() => change({ id, role })}
        onDone={done}
        onClose={close}
      />
    ),
  };
  const disable: MenuAction = {
    key: "disable",
    label: t("disable"),
    icon: UserXIcon,
    variant: "destructive",
    dialog: (close) => (
      <ConfirmDialog
        title={t("disableOne", { name })}
        description={t("disableText")}
        confirmLabel={t("disable")}
        run={() => change({ id, active: false })}
        onDone={done}
        onClose={close}
      />
    ),
  };
  const actions =
    admin.status === "disabled"
      ? [enable]
      : [...(admin.status === "invited" ? [again] : []), changeRole, disable];
  return <ActionMenu actions={actions}>{children}</ActionMenu>;
}
