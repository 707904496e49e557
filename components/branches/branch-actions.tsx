"use client";

import { ArchiveIcon, ArchiveRestoreIcon, PencilIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ConfirmButton } from "@/components/data/confirm-button";
import { Button } from "@/components/ui/button";
import { useNotify } from "@/components/ui/notify";
import type { Branch } from "@/lib/domain/branch";
import { EditBranchDialog, type RemoveBranchAction, type UpdateBranchAction } from "./branch-dialog";

/** The actions on one branch: edit, archive, reopen. */
export function BranchActions({
  branch,
  update,
  remove,
}: {
  branch: Branch;
  update: UpdateBranchAction;
  remove: RemoveBranchAction;
}) {
  const t = useTranslations("branches");
  const notify = useNotify();
  const router = useRouter();
  const { id, name } = branch;
  const done = (text: string) => {
    notify.success(text);
    router.refresh();
  };
  if (branch.archivedAt) {
    return (
      <ConfirmButton
        variant="outline"
        size="sm"
        aria-label={t("reopenOne", { name })}
        title={t("reopen")}
        description={t("reopenText", { name })}
        confirmLabel={t("reopen")}
        confirmVariant="default"
        run={() => update({ id, archived: false })}
        onDone={() => done(t("reopened"))}
      >
        <ArchiveRestoreIcon aria-hidden /> {t("reopen")}
      </ConfirmButton>
    );
  }
  return (
    <div className="inline-flex gap-2">
      <EditBranchDialog branch={branch} update={update}>
        <Button variant="outline" size="sm" aria-label={t("editOne", { name })}>
          <PencilIcon aria-hidden /> {t("editShort")}
        </Button>
      </EditBranchDialog>
      <ConfirmButton
        variant="outline"
        size="sm"
        aria-label={t("archiveOne", { name })}
        title={t("archiveOne", { name })}
        description={t("archiveText", { workers: branch.workers })}
        confirmLabel={t("archive")}
        run={() => remove({ id })}
        onDone={({ archived }) => done(archived ? t("archived") : t("deleted"))}
      >
        <ArchiveIcon aria-hidden /> {t("archive")}
      </ConfirmButton>
    </div>
  );
}
