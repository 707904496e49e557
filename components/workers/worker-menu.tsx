"use client";

import { KeyRoundIcon, PencilIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { inviteWorkerAction, removeWorkerPinAction, updateWorkerAction } from "@/app/_panels/actions";
import { ActionMenu, type MenuAction } from "@/components/data/action-menu";
import { askedAction } from "@/components/data/confirm-dialog";
import { useStaffActions } from "@/components/data/staff-actions";
import type { Option } from "@/components/forms/choice-fields";
import { useNotify } from "@/components/ui/notify";
import type { Worker } from "@/lib/workers/model";
import { EditWorker } from "./worker-dialog";

export type WorkerMenuProps = {
  worker: Omit<Worker, "today" | "merchant" | "createdAt">;
  /** The branches to choose from; null where they are not known, and nothing can be edited. */
  branches: readonly Option[] | null;
};

/**
 * The menu of an employee: edit, send the invitation again, remove the PIN, disable, enable. It is open at first. `children`
 * is its button.
 */
export function WorkerMenu({ worker, branches, children }: WorkerMenuProps & { children: ReactNode }) {
  const t = useTranslations("workers");
  const notify = useNotify();
  const { id, status, email } = worker;
  const name = `${worker.firstName} ${worker.lastName}`;
  const { enable, disable, again } = useStaffActions({
    name,
    email,
    enableText: t("enableText"),
    disableText: t("disableText"),
    setActive: (active) => updateWorkerAction({ id, active }),
    invite: () => inviteWorkerAction({ id }),
  });
  const edit: MenuAction | null = branches && {
    key: "edit",
    label: t("editShort"),
    icon: PencilIcon,
    dialog: (close) => (
      <EditWorker worker={worker} branches={branches} update={updateWorkerAction} onClose={close} />
    ),
  };
  const withoutPin = askedAction({
    key: "pin",
    label: t("removePin"),
    icon: KeyRoundIcon,
    variant: "destructive",
    title: t("removePinOne", { name }),
    description: t("removePinText"),
    run: () => removeWorkerPinAction({ id }),
    onDone: ({ removed }) => notify.success(removed ? t("pinRemoved", { email }) : t("noPin", { name })),
  });
  const open = [edit, status === "invited" ? again : withoutPin, disable].filter((one) => one !== null);
  return <ActionMenu actions={status === "disabled" ? [enable] : open}>{children}</ActionMenu>;
}
