"use client";

import { CircleHelpIcon, FileJsonIcon, MailIcon, ScrollTextIcon, Trash2Icon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { DialogButton } from "@/components/ui/dialog-button";
import { PendingEmailNotice } from "./pending-email";
import type { CardActions, CardView, CardViewState } from "./types";

const loadChangeEmail = () => import("./change-email-dialog");
const loadDelete = () => import("./delete-card-dialog");

/** The holder's data: export, change of e-mail, privacy notice, deletion. */
export function YourData({
  card,
  state,
  actions,
  onDeleted,
}: {
  card: CardView;
  state: CardViewState;
  actions: CardActions;
  onDeleted: () => void;
}) {
  const t = useTranslations("card");
  const shell = useTranslations("shell");
  // A frozen card keeps its e-mail and its points until it is unfrozen.
  const isFrozen = state.status === "frozen";
  return (
    <Card className="gap-4">
      <CardHeader>
        <CardTitle>{t("yourData")}</CardTitle>
        <CardDescription>{t("yourDataText")}</CardDescription>
      </CardHeader>
      <CardContent className="grid gap-2">
        <Button asChild variant="outline" size="xl" className="justify-start">
          <a href={`/api/customer/${card.id}/my-data`} download>
            <FileJsonIcon aria-hidden />
            {t("downloadData")}
          </a>
        </Button>
        {card.pendingEmail ? (
          <PendingEmailNotice
            customerId={card.id}
            pending={card.pendingEmail}
            now={state.at}
            cancel={actions.cancelEmail}
          />
        ) : (
          !isFrozen && (
            <DialogButton
              load={loadChangeEmail}
              dialog={({ ChangeEmailDialog }, button) => (
                <ChangeEmailDialog customerId={card.id} present={card.email ?? ""} actions={actions}>
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
              <DeleteCardDialog customerId={card.id} state={state} actions={actions} onDeleted={onDeleted}>
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
      </CardContent>
    </Card>
  );
}
