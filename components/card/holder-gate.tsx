"use client";

import { KeyRoundIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { Spinner } from "@/components/ui/spinner";
import { CodeStep, Problem } from "./code-step";
import type { CardActions, ShownCard } from "./types";
import { useMailedCode } from "./use-mailed-code";

/** On a device that is not known to be the holder's: proves it by a mailed code. */
export function HolderGate({ card, actions }: { card: ShownCard; actions: CardActions }) {
  const t = useTranslations("card");
  const router = useRouter();
  const code = useMailedCode({
    send: () => actions.sendCode({ customerId: card.id, purpose: "card_holder" }),
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
          <CodeStep code={code} label={t("gateConfirm")} />
        ) : (
          <>
            <Problem code={code} />
            <Button size="xl" variant="outline" disabled={code.busy} onClick={code.send}>
              {code.busy && <Spinner aria-hidden />}
              {t("gateSend")}
            </Button>
          </>
        )}
      </CardContent>
    </Card>
  );
}
