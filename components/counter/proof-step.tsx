"use client";

import { KeyRoundIcon, MailIcon, ScanQrCodeIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { CodeField } from "@/components/codes/code-field";
import { useMailedCode } from "@/components/codes/use-mailed-code";
import { FieldError } from "@/components/forms/field-error";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { parseCardCode } from "@/lib/cards/model/card";
import { type ProofRequest, toActionResult } from "./posting-state";
import { Scanner } from "./scanner";
import type { MoneyForm } from "./use-money-form";

// Not hidden from screen readers, as other icons are.
const Busy = () => <Spinner />;

/** Asks for the confirmation that the server requires for a redemption of this size, with the reason and the ways to confirm. */
export function ProofStep({ form, request }: { form: MoneyForm; request: ProofRequest }) {
  const { customer, setting, posting } = form;
  const busy = posting.state.step === "posting";
  const t = useTranslations("counter.proof");
  const [way, setWay] = useState<"choose" | "scan" | "mail">("choose");
  const [problem, setProblem] = useState<string | null>(null);
  const [sentTo, setSentTo] = useState("");
  const code = useMailedCode({
    send: async () =>
      toActionResult(
        await setting.api.sendCode(customer.publicId, posting.sent?.points ?? 0),
        t("sendLost"),
        setting.onSignedOut,
      ),
    onSent: (data) => {
      setSentTo(data.sentTo);
      setWay("mail");
    },
    enter: async (digits) => {
      await posting.prove(digits);
      // If this step is still shown, the confirmation was refused. The alert shows the reason.
      return { ok: false, code: "code_invalid", message: "", fieldErrors: {} };
    },
    onDone: () => undefined,
  });
  const onScan = (text: string) => {
    const scanned = parseCardCode(text);
    if (!scanned?.liveCode) return setProblem(t("notLive"));
    if (scanned.id !== customer.publicId) return setProblem(t("otherCard"));
    posting.prove(scanned.liveCode);
  };
  return (
    <div className="grid gap-3">
      <Alert
        variant={request.refused > 0 ? "destructive" : "warning"}
        icon={busy ? Busy : KeyRoundIcon}
        title={t(request.refused > 0 ? "wrongTitle" : "title")}
      >
        {request.reason}
      </Alert>
      {way === "scan" && (
        <Scanner active busy={busy} onActive={() => setWay("choose")} onText={onScan} instead="code" />
      )}
      {way === "mail" && (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void code.submit();
          }}
        >
          <CodeField
            code={code}
            label={t("code")}
            hint={t("sentTo", { email: sentTo })}
            autoFocus
            refused={request.refused > 0}
          />
        </form>
      )}
      {way !== "mail" && code.problem && <FieldError>{code.problem}</FieldError>}
      {problem && <FieldError>{problem}</FieldError>}
      <div className="grid gap-2">
        {way !== "scan" && (
          <Button
            variant={way === "mail" ? "outline" : "default"}
            className="h-14 text-base landscape-phone:h-12"
            autoFocus
            onClick={() => setWay("scan")}
          >
            <ScanQrCodeIcon className="size-5" aria-hidden />
            {t("scan")}
          </Button>
        )}
        <Button
          variant="outline"
          className="h-14 text-base landscape-phone:h-12"
          disabled={code.busy || busy}
          onClick={() => {
            setProblem(null);
            void code.send();
          }}
        >
          {code.sending ? <Spinner /> : <MailIcon className="size-5" aria-hidden />}
          {sentTo ? t("sendAgain") : t("send")}
        </Button>
        <Button variant="ghost" className="h-12" disabled={busy} onClick={posting.edit}>
          {t("back")}
        </Button>
      </div>
    </div>
  );
}
