"use client";

import { KeyRoundIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useMailedCode } from "@/components/codes/use-mailed-code";
import { FieldError } from "@/components/forms/field-error";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { useNotify } from "@/components/ui/notify";
import { Spinner } from "@/components/ui/spinner";
import { useLoaded } from "@/components/ui/use-loaded";
import type { CardActions, CardView } from "./types";

const loadCodeStep = () => import("@/components/codes/code-step");

/** Shown on a device that is not known as the holder's: a mailed code confirms the holder. */
export function HolderGate({ card, actions }: { card: CardView; actions: CardActions }) {
  const t = useTranslations("card");
  const api = useTranslations("api");
  const notify = useNotify();
  const router = useRouter();
  const codeStep = useLoaded(loadCodeStep);
  const code = useMailedCode({
    send: () => actions.sendCode({ customerId: card.id, purpose: "card_holder" }),
    // The first one is said above the field.
    onSent: () => code.sent && notify.success(api("otpSent")),
    enter: (digits) => actions.prove({ customerId: card.id, code: digits }),
    onDone: () => router.refresh(),
  });
  return (
    <Card className="gap-4">
      <CardHeader>
        <CardTitle className="flex items-center gap-2">
          <KeyRoundIcon className="size-5" aria-hidden />
          {t("gateTitle")}
        </CardTitle>
        <CardDescription>{code.sent ? t("gateSent") : t("gateText")}</CardDescription>
      </CardHeader>
      <CardContent className="flex flex-col gap-3">
        {code.sent ? (
          codeStep.part ? (
            <codeStep.part.CodeStep code={code} submitLabel={t("gateConfirm")} />
          ) : codeStep.failed ? (
            <Button size="xl" onClick={codeStep.want}>
              {t("tryAgain")}
            </Button>
          ) : (
            <Spinner />
          )
        ) : (
          <>
            {code.problem && <FieldError>{code.problem}</FieldError>}
            <Button
              size="xl"
              disabled={code.busy}
              onClick={() => {
                codeStep.want();
                void code.send();
              }}
            >
              {code.busy && <Spinner aria-hidden />}
              {t("gateSend")}
            </Button>
          </>
        )}
      </CardContent>
    </Card>
  );
}
