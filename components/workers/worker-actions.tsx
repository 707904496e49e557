"use client";

import { MailIcon, PencilIcon, UserCheckIcon, UserXIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ConfirmButton } from "@/components/data/confirm-button";
import type { Option } from "@/components/forms/choice-fields";
import { Button } from "@/components/ui/button";
import { useNotify } from "@/components/ui/notify";
import type { Worker } from "@/lib/domain/worker";
import { type WorkerActionSet, WorkerDialog } from "./worker-dialog";

/** The actions on one worker: edit (where the branches to choose from are known), invite again, disable, enable. */
export function WorkerActions({
  worker,
  branches,
  ...actions
}: WorkerActionSet & { worker: Worker; branches: readonly Option[] | null }) {
  const t = useTranslations("workers");
  const notify = useNotify();
  const router = useRouter();
  const { id, status } = worker;
  const name = `${worker.firstName} ${worker.lastName}`;
  const done = (text: string) => {
    notify.success(text);
    router.refresh();
  };
  if (status === "disabled") {
    return (
      <ConfirmButton
        variant="outline"
        size="sm"
        aria-label={t("enableOne", { name })}
        title={t("enableOne", { name })}
        description={t("enableText")}
        confirmLabel={t("enable")}
        confirmVariant="default"
        run={() => actions.update({ id, active: true })}
        onDone={() => done(t("enabled"))}
      >
        <UserCheckIcon aria-hidden /> {t("enable")}
      </ConfirmButton>
    );
  }
  return (
    <div className="inline-flex flex-wrap justify-end gap-2 md:flex-nowrap">
      {branches && (
        <WorkerDialog worker={worker} branches={branches} create={actions.create} update={actions.update}>
          <Button variant="outline" size="sm" aria-label={t("editOne", { name })}>
            <PencilIcon aria-hidden /> {t("editShort")}
          </Button>
        </WorkerDialog>
      )}
      {status === "invited" && (
        <ConfirmButton
          variant="outline"
          size="sm"
          aria-label={t("inviteOne", { name })}
          title={t("inviteAgain")}
          description={t("inviteText", { email: worker.email })}
          confirmLabel={t("inviteConfirm")}
          confirmVariant="default"
          run={() => actions.invite({ id })}
          onDone={() => done(t("invited", { email: worker.email }))}
        >
          <MailIcon aria-hidden /> {t("invite")}
        </ConfirmButton>
      )}
      <ConfirmButton
        variant="outline"
        size="sm"
        aria-label={t("disableOne", { name })}
        title={t("disableOne", { name })}
        description={t("disableText")}
        confirmLabel={t("disable")}
        run={() => actions.update({ id, active: false })}
        onDone={() => done(t("disabled"))}
      >
        <UserXIcon aria-hidden /> {t("disable")}
      </ConfirmButton>
    </div>
  );
}
