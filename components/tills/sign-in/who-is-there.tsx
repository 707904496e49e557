"use client";

import { CircleAlertIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Alert, AlertDescription } from "@/components/ui/alert";
import { Avatar, AvatarFallback, initials } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import type { Cashier } from "../device/cashier";
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

type Face = { id: string; name: string; hasPin: boolean };

/** The employees of the till's branch, to tap. */
function Faces({ faces, onChoose }: { faces: readonly Face[]; onChoose: (face: Face) => void }) {
  const t = useTranslations("atTill");
  if (faces.length === 0) return <p className="py-6 text-center text-muted-foreground">{t("noWorkers")}</p>;
  return (
    <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {faces.map((face) => (
        <li key={face.id} className="min-w-0">
          <button
            type="button"
            onClick={() => onChoose(face)}
            className="flex h-full w-full flex-col items-center gap-2 rounded-xl border bg-card p-4 text-center transition-colors hover:border-primary hover:bg-accent"
          >
            <Avatar className="size-14 text-lg">
              <AvatarFallback>{initials(face.name)}</AvatarFallback>
            </Avatar>
            <bdi className="line-clamp-3 wrap-anywhere font-medium leading-tight">{face.name}</bdi>
            {!face.hasPin && <span className="text-muted-foreground text-xs">{t("noPin")}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
