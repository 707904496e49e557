"use client";

import { KeyRoundIcon, MailIcon, ScanQrCodeIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { Spinner } from "@/components/ui/spinner";
import { readCardCode } from "@/lib/domain/card";
import { toLatinDigits } from "@/lib/domain/money";
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
  onProof: (proof: string) => void;
  onBack: () => void;
  onSignedOut: (ended: boolean) => void;
}) {
  const t = useTranslations("counter.proof");
  const [way, setWay] = useState<"choose" | "scan" | "mail">("choose");
  const [problem, setProblem] = useState<string | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const scanned = (text: string) => {
    const code = readCardCode(text);
    if (!code?.liveCode) return setProblem(t("notLive"));
    if (code.id !== customer.id && code.id !== customer.publicId) return setProblem(t("otherCard"));
    onProof(code.liveCode);
  };
  const send = async () => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    const answer = await api.sendCode(customer.id);
    setBusy(false);
    if (answer.kind === "signedOut") return onSignedOut(answer.ended);
    if (answer.kind !== "ok") return setProblem(answer.kind === "lost" ? t("sendLost") : answer.message);
    setSentTo(answer.data.sentTo);
    setWay("mail");
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
        <MailedCode key={wanted.refused} sentTo={sentTo} disabled={posting} onCode={onProof} />
      )}
      {problem && (
        <p role="alert" className="text-destructive-strong text-sm">
          {problem}
        </p>
      )}
      <div className="grid gap-2">
        {way !== "scan" && (
          <Button className="h-14 text-base" onClick={() => setWay("scan")}>
            <ScanQrCodeIcon className="size-5" aria-hidden />
            {t("scan")}
          </Button>
        )}
        <Button variant="outline" className="h-14 text-base" disabled={busy || posting} onClick={send}>
          {busy ? <Spinner /> : <MailIcon className="size-5" aria-hidden />}
          {sentTo ? t("sendAgain") : t("send")}
        </Button>
        <Button variant="ghost" className="h-12" disabled={posting} onClick={onBack}>
          {t("back")}
        </Button>
      </div>
    </div>
  );
}

const DIGITS = 6;

function MailedCode({
  sentTo,
  disabled,
  onCode,
}: {
  sentTo: string | null;
  disabled: boolean;
  onCode: (code: string) => void;
}) {
  const t = useTranslations("counter.proof");
  const [code, setCode] = useState("");
  const type = (text: string) => {
    const digits = toLatinDigits(text).replace(/\D/g, "").slice(0, DIGITS);
    setCode(digits);
    if (digits.length === DIGITS) onCode(digits);
  };
  return (
    <div className="grid gap-1.5">
      <Label htmlFor="counter-code">{t("code")}</Label>
      <Input
        id="counter-code"
        size="xl"
        dir="ltr"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        maxLength={DIGITS}
        value={code}
        disabled={disabled}
        placeholder="••••••"
        aria-describedby="counter-code-hint"
        className="h-14 text-center font-bold text-2xl tracking-[0.4em] md:text-2xl"
        onChange={(event) => type(event.target.value)}
      />
      <p id="counter-code-hint" role="status" className="text-muted-foreground text-sm">
        {t("sentTo", { email: sentTo ?? "" })}
      </p>
    </div>
  );
}
