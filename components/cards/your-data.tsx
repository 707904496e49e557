"use client";

import {
  CircleHelpIcon,
  FileJsonIcon,
  HourglassIcon,
  MailIcon,
  ScrollTextIcon,
  Trash2Icon,
} from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { cancelEmailChangeAction } from "@/app/customer/actions";
import { ConfirmButton } from "@/components/data/confirm-button";
import { TitledCard } from "@/components/data/titled-card";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/use-loaded";
import { STOPPED_BY_HOLDER } from "@/lib/cards/model/email-change";
import { formatDateTime } from "@/lib/domain/time";
import type { CardView, CardViewState } from "./types";

const HOUR = 60 * 60 * 1000;

function PendingEmailNotice({
  customerId,
  pending: { email, kind, dueAt },
  at,
}: Pick<CardViewState, "at"> & { customerId: string; pending: NonNullable<CardView["pendingEmail"]> }) {
  const t = useTranslations("card");
  const locale = useLocale();
  const hours = Math.max(0, Math.floor((dueAt.getTime() - new Date(at).getTime()) / HOUR));
  const text = t("pendingEmail", { email, time: formatDateTime(dueAt, locale), hours });
  return (
    <Alert
      variant="warning"
      data-slot="pending-email"
      icon={HourglassIcon}
      textClass="flex flex-col items-start gap-3"
    >
      <p className="wrap-anywhere">
        {text} {kind !== "holder" && t("pendingEmailStaff")}
      </p>
      {STOPPED_BY_HOLDER.some((own) => own === kind) && (
        <ConfirmButton
          label={t("pendingEmailCancel")}
          description={text}
          run={() => cancelEmailChangeAction({ customerId })}
        />
      )}
    </Alert>
  );
}

const loadChangeEmail = () => import("./change-email-dialog");
const loadDelete = () => import("./delete-card-dialog");

/** The holder's data: export, change of e-mail, privacy notice, deletion. */
export function YourData({
  card,
  state,
  onDeleted,
}: {
  card: CardView;
  state: CardViewState;
  onDeleted: () => void;
}) {
  const t = useTranslations("card");
  const shell = useTranslations("shell");
  // A frozen card keeps its e-mail and its points until it is unfrozen.
  const isFrozen = state.status === "frozen";
  return (
    <TitledCard className="gap-4" title={t("yourData")} text={t("yourDataText")} contentClass="grid gap-2">
      <Button asChild variant="outline" size="xl" className="justify-start">
        <a href={`/api/customer/${card.id}/my-data`} download>
          <FileJsonIcon aria-hidden />
          {t("downloadData")}
        </a>
      </Button>
      {card.pendingEmail ? (
        <PendingEmailNotice customerId={card.id} pending={card.pendingEmail} at={state.at} />
      ) : (
        !isFrozen && (
          <DialogButton
            load={loadChangeEmail}
            dialog={({ ChangeEmailDialog }, button) => (
              <ChangeEmailDialog customerId={card.id} present={card.email ?? ""}>
                {button}
              </ChangeEmailDialog>
            )}
            variant="outline"
            size="xl"
            className="justify-start"
          >
            <MailIcon aria-hidden />
            {t("changeEmail")}
          </DialogButton>
        )
      )}
      <Button asChild variant="ghost" size="xl" className="justify-start">
        <a href="/privacy">
          <ScrollTextIcon aria-hidden />
          {t("privacy")}
        </a>
      </Button>
      <Button asChild variant="ghost" size="xl" className="justify-start">
        <a href="/help/customer">
          <CircleHelpIcon aria-hidden />
          {shell("help")}
        </a>
      </Button>
      {!isFrozen && (
        <DialogButton
          load={loadDelete}
          dialog={({ DeleteCardDialog }, button) => (
            <DeleteCardDialog customerId={card.id} state={state} onDeleted={onDeleted}>
              {button}
            </DeleteCardDialog>
          )}
          variant="ghost"
          size="xl"
          className="justify-start text-destructive hover:text-destructive"
        >
          <Trash2Icon aria-hidden />
          {t("delete")}
        </DialogButton>
      )}
    </TitledCard>
  );
}
