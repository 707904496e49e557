"use client";

import { ArchiveIcon, ArchiveRestoreIcon, PencilIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ActionMenu, type MenuAction } from "@/components/data/action-menu";
import { askedAction } from "@/components/data/confirm-dialog";
import { useNotify } from "@/components/ui/notify";
import type { Branch } from "@/lib/branches/model";
import { EditBranch, type RemoveBranchAction, type UpdateBranchAction } from "./branch-dialog";

export type BranchMenuProps = {
  branch: Branch;
  update: UpdateBranchAction;
  remove: RemoveBranchAction;
};

/** The menu of a branch: edit, archive, reopen. Open at first; `children` is its button. */
export function BranchMenu({ branch, update, remove, children }: BranchMenuProps & { children: ReactNode }) {
  const t = useTranslations("branches");
  const notify = useNotify();
  const router = useRouter();
  const { id, name } = branch;
  const reopen = askedAction({
    key: "reopen",
    label: t("reopen"),
    icon: ArchiveRestoreIcon,
    title: t("reopen"),
    description: t("reopenText", { name }),
    run: () => update({ id, archived: false }),
    onDone: () => router.refresh(),
  });
  const edit: MenuAction = {
    key: "edit",
    label: t("editShort"),
    icon: PencilIcon,
    dialog: (close) => <EditBranch branch={branch} update={update} onClose={close} />,
  };
  const archive = askedAction({
    key: "archive",
    label: t("archive"),
    icon: ArchiveIcon,
    variant: "destructive",
    title: t("archiveOne", { name }),
    description: t("archiveText", { workers: branch.workers }),
    run: () => remove({ id }),
    onDone: ({ archived }) => {
      if (!archived) notify.success(t("deleted"));
      router.refresh();
    },
  });
  return <ActionMenu actions={branch.archivedAt ? [reopen] : [edit, archive]}>{children}</ActionMenu>;
}
