"use client";

import { CircleAlertIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Alert, AlertDescription } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { Cashier } from "../device/cashier";
import { type Face, Faces } from "./faces";
import { PinPad } from "./pin-pad";

/** The outcome of a PIN: `message` is the server's sentence. */
export type PinAnswer =
  | { kind: "ok"; cashier: Cashier }
  | { kind: "refused"; message: string }
  | { kind: "lost" };

/** Faces, then the PIN of the one that was tapped. `locked`: no PIN signs in here until the owner opens it. */
export function WhoIsThere({
  faces,
  locked,
  signIn,
  onSignedIn,
  onPassword,
}: {
  faces: readonly Face[];
  locked: boolean;
  signIn: (workerId: string, pin: string) => Promise<PinAnswer>;
  onSignedIn: (cashier: Cashier) => void;
  onPassword: () => void;
}) {
  const t = useTranslations("atTill");
  const [face, setFace] = useState<Face | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const choose = (next: Face | null) => {
    setFace(next);
    setProblem(null);
  };
  const send = async (worker: Face, pin: string) => {
    setBusy(true);
    setProblem(null);
    const answer = await signIn(worker.id, pin);
    if (answer.kind === "ok") return onSignedIn(answer.cashier);
    setBusy(false);
    setProblem(answer.kind === "lost" ? t("lost") : answer.message);
  };
  return (
    <div className="flex flex-col gap-6 landscape-phone:gap-2">
      {locked && <Notice>{t("closed")}</Notice>}
      {face?.hasPin && (
        <PinPad
          name={face.name}
          busy={busy}
          problem={problem}
          onBack={() => choose(null)}
          onPin={(pin) => void send(face, pin)}
        />
      )}
      {face && !face.hasPin && (
        <>
          <Notice>{t("noPinText", { name: face.name })}</Notice>
          <Button variant="outline" size="lg" onClick={() => choose(null)}>
            {t("back")}
          </Button>
        </>
      )}
      {!face && <Faces faces={faces} onChoose={choose} />}
      <Button
        variant="ghost"
        className="self-center text-muted-foreground hover:text-accent-foreground"
        onClick={onPassword}
      >
        {t("password")}
      </Button>
    </div>
  );
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <Alert variant="warning">
      <CircleAlertIcon aria-hidden />
      <AlertDescription>{children}</AlertDescription>
    </Alert>
  );
}
