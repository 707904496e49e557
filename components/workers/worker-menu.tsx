"use client";

import { MailIcon, PencilIcon, UserCheckIcon, UserXIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ActionMenu, type MenuAction } from "@/components/data/action-menu";
import { ConfirmDialog } from "@/components/data/confirm-dialog";
import type { Option } from "@/components/forms/choice-fields";
import { useNotify } from "@/components/ui/notify";
import type { Worker } from "@/lib/domain/worker";
import { type WorkerActionSet, WorkerDialog } from "./worker-dialog";

export type WorkerMenuProps = WorkerActionSet & {
  worker: Omit<Worker, "today" | "merchant" | "createdAt">;
  /** The branches to choose from; null where they are not known, and nothing can be edited. */
  branches: readonly Option[] | null;
};

/** The menu of a worker: edit, send the invitation again, disable, enable. Open at first; `children` is its button. */
export function WorkerMenu({
  worker,
  branches,
  create,
  update,
  invite,
  children,
}: WorkerMenuProps & { children: ReactNode }) {
  const t = useTranslations("workers");
  const notify = useNotify();
  const router = useRouter();
  const { id, status, email } = worker;
  const name = `${worker.firstName} ${worker.lastName}`;
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
        run={() => update({ id, active: true })}
        onDone={() => router.refresh()}
        onClose={close}
      />
    ),
  };
  const edit: MenuAction | null = branches && {
    key: "edit",
    label: t("editShort"),
    icon: PencilIcon,
    dialog: (close) => (
      <WorkerDialog worker={worker} branches={branches} create={create} update={update} onClose={close} />
    ),
  };
  const again: MenuAction = {
    key: "invite",
    label: t("inviteAgain"),
    icon: MailIcon,
    dialog: (close) => (
      <ConfirmDialog
        title={t("inviteAgain")}
        description={t("inviteText", { email })}
        confirmLabel={t("inviteConfirm")}
        confirmVariant="default"
        run={() => invite({ id })}
        onDone={() => notify.success(t("invited", { email }))}
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
        run={() => update({ id, active: false })}
        onDone={() => router.refresh()}
        onClose={close}
      />
    ),
  };
  const actions = status === "disabled" ? [enable] : [edit, status === "invited" && again, disable];
  return <ActionMenu actions={actions.filter((one) => one !== null && one !== false)}>{children}</ActionMenu>;
}
