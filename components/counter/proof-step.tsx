"use client";

import { KeyRoundIcon, MailIcon, ScanQrCodeIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { CodeField } from "@/components/codes/code-field";
import { useMailedCode } from "@/components/codes/use-mailed-code";
import { FieldError } from "@/components/forms/field";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { parseCardCode } from "@/lib/domain/card";
import { asResult } from "./as-result";
import { Scanner } from "./scanner";
import type { CounterApi, CounterCustomer } from "./types";
import type { ProofWanted } from "./use-posting";

/** What the server wants before it lets so much be redeemed, why, and the next step in one touch. */
export function ProofStep({
  api,
  customer,
  wanted,
  posting,
  onProof,
  onBack,
  onSignedOut,
}: {
  api: CounterApi;
  customer: CounterCustomer;
  wanted: ProofWanted;
  /** A proof is being tried. */
  posting: boolean;
  /** Settles once the answer is there. */
  onProof: (proof: string) => unknown;
  onBack: () => void;
  onSignedOut: (ended: boolean) => void;
}) {
  const t = useTranslations("counter.proof");
  const [way, setWay] = useState<"choose" | "scan" | "mail">("choose");
  const [problem, setProblem] = useState<string | null>(null);
  const [sentTo, setSentTo] = useState("");
  const code = useMailedCode({
    send: async () => asResult(await api.sendCode(customer.id), t("sendLost"), onSignedOut),
    onSent: (data) => {
      setSentTo(data.sentTo);
      setWay("mail");
    },
    enter: async (digits) => {
      await onProof(digits);
      // Whoever is still asked was refused; the alert says why.
      return { ok: false, code: "code_invalid", message: "", fieldErrors: {} };
    },
    onDone: () => undefined,
  });
  const scanned = (text: string) => {
    const scan = parseCardCode(text);
    if (!scan?.liveCode) return setProblem(t("notLive"));
    if (scan.id !== customer.id && scan.id !== customer.publicId) return setProblem(t("otherCard"));
    onProof(scan.liveCode);
  };
  const send = () => {
    setProblem(null);
    void code.send();
  };
  return (
    <div className="grid gap-3">
      <Alert variant={wanted.refused > 0 ? "destructive" : "warning"}>
        {posting ? <Spinner /> : <KeyRoundIcon aria-hidden />}
        <AlertTitle>{t(wanted.refused > 0 ? "wrongTitle" : "title")}</AlertTitle>
        <AlertDescription>{wanted.reason}</AlertDescription>
      </Alert>
      {way === "scan" && <Scanner active busy={posting} onActive={() => setWay("choose")} onText={scanned} />}
      {way === "mail" && (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void code.submit();
          }}
        >
          <CodeField code={code} label={t("code")} hint={t("sentTo", { email: sentTo })} autoFocus />
        </form>
      )}
      {way !== "mail" && code.problem && <FieldError>{code.problem}</FieldError>}
      {problem && <FieldError>{problem}</FieldError>}
      <div className="grid gap-2">
        {way !== "scan" && (
          <Button className="h-14 text-base" onClick={() => setWay("scan")}>
            <ScanQrCodeIcon className="size-5" aria-hidden />
            {t("scan")}
          </Button>
        )}
        <Button variant="outline" className="h-14 text-base" disabled={code.busy || posting} onClick={send}>
          {code.sending ? <Spinner /> : <MailIcon className="size-5" aria-hidden />}
          {sentTo ? t("sendAgain") : t("send")}
        </Button>
        <Button variant="ghost" className="h-12" disabled={posting} onClick={onBack}>
          {t("back")}
        </Button>
      </div>
    </div>
  );
}
