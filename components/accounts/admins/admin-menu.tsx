"use client";

import { ShieldIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { changeAdminAction } from "@/app/(admin)/admin/(settings)/administrators/actions";
import { ActionMenu } from "@/components/data/action-menu";
import { askedAction } from "@/components/data/confirm-dialog";
import { useStaffActions } from "@/components/data/staff-actions";
import type { Admin } from "@/lib/accounts/model/admin";

/** The menu of an administrator: invite again, change the role, disable, enable. Open at first; `children` is its button. */
export function AdminMenu({ admin, children }: { admin: Admin; children: ReactNode }) {
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
  return <ActionMenu actions={status === "disabled" ? [enable] : open}>{children}</ActionMenu>;
}
