"use client";

import { ArchiveIcon, KeyRoundIcon, LockOpenIcon, PencilIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ActionMenu, type MenuAction, useShownOnce } from "@/components/data/action-menu";
import { askedAction } from "@/components/data/confirm-dialog";
import type { Option } from "@/components/forms/choice-fields";
import type { Till, TillWithCode } from "@/lib/tills/model/till";
import { EditTill, PairingCode, type RetireTillAction, type UpdateTillAction } from "./till-dialogs";

export type TillMenuProps = {
  till: Till;
  branches: readonly Option[];
  update: UpdateTillAction;
  retire: RetireTillAction;
};

/** The menu of a till: edit, another pairing code, open PIN sign-in, retire. Open at first; `children` is its button. */
export function TillMenu({
  till,
  branches,
  update,
  retire,
  children,
}: TillMenuProps & { children: ReactNode }) {
  const t = useTranslations("tills");
  const router = useRouter();
  const { made, show, seen } = useShownOnce<TillWithCode>();
  const { id, name } = till;
  const edit: MenuAction = {
    key: "edit",
    label: t("edit"),
    icon: PencilIcon,
    dialog: (close) => <EditTill till={till} branches={branches} update={update} onClose={close} />,
  };
  const newCode = askedAction({
    key: "newCode",
    label: t("newCode"),
    icon: KeyRoundIcon,
    title: t("newCodeOne", { name }),
    description: t("newCodeText"),
    run: () => update({ id, newCode: true }),
    onDone: (answer) => {
      if ("pairingCode" in answer) show(answer);
    },
  });
  const openPin = askedAction({
    key: "openPin",
    label: t("openPin"),
    icon: LockOpenIcon,
    title: t("openPinOne", { name }),
    description: t("openPinText"),
    run: () => update({ id, pinLocked: false }),
    onDone: () => router.refresh(),
  });
  const end = askedAction({
    key: "retire",
    label: t("retire"),
    icon: ArchiveIcon,
    variant: "destructive",
    title: t("retireOne", { name }),
    description: t("retireText"),
    run: () => retire({ id }),
    onDone: () => router.refresh(),
  });
  const actions = [...(till.pinLockedAt ? [openPin] : []), edit, newCode, end];
  return (
    <>
      <ActionMenu actions={actions}>{children}</ActionMenu>
      {made && <PairingCode till={made} close={seen} />}
    </>
  );
}
