"use client";

import { CircleAlertIcon, DeleteIcon, KeyRoundIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { postSignOut } from "@/components/accounts/session/stored-session";
import { FieldError } from "@/components/forms/field-error";
import { Alert } from "@/components/ui/alert";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/components/ui/utils";
import { toLatinDigits } from "@/lib/domain/money";
import { TILL_DOOR } from "@/lib/domain/paths";
import type { Cashier, OwnTill } from "../device/own-till";
import type { TillState } from "../device/use-own-till";
import { signInByPin } from "./till-api";

/** The title above AskWho: its question, or the reason why it cannot ask. */
export function AskTitle({ state: { kind } }: { state: TillState }) {
  const t = useTranslations("atTill");
  if (kind === "retired") return t("retiredTitle");
  return kind === "none" ? t("noneTitle") : t("title");
}

export type AskProps = {
  state: TillState;
  refresh: () => Promise<void>;
  onSignedIn: (cashier: Cashier) => void;
};

/** The faces of this till's employees. If this browser is not a till any more, it says what to do. */
export function AskWho({
  state,
  refresh,
  onSignedIn,
  onPairAgain = () => window.location.assign(TILL_DOOR),
}: AskProps & { onPairAgain?: () => void }) {
  const t = useTranslations("atTill");
  const { kind } = state;
  if (kind === "loading")
    return (
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {["first", "second", "third"].map((key) => (
          <Skeleton key={key} className="h-32 rounded-xl" />
        ))}
      </div>
    );
  if (kind === "ready") return <WhoIsThere {...state} refresh={refresh} onSignedIn={onSignedIn} />;
  const lost = kind === "lost";
  const over = kind === "retired" ? "retiredText" : "noneText";
  return (
    <div className="flex flex-col gap-4">
      <Notice>
        <p>{t(lost ? "lost" : over)}</p>
        {!lost && <StillSaved />}
      </Notice>
      {lost && (
        <Button size="lg" onClick={() => void refresh()}>
          {t("again")}
        </Button>
      )}
      <Button size="lg" variant={lost ? "outline" : "default"} onClick={toPassword}>
        {t("password")}
      </Button>
      {!lost && (
        <Button size="lg" variant="outline" onClick={onPairAgain}>
          {t("pairAgain")}
        </Button>
      )}
    </div>
  );
}

function StillSaved() {
  const t = useTranslations("atTill");
  const [saved, setSaved] = useState(false);
  useEffect(() => {
    const read = async () => setSaved((await (await import("../offline/store")).countWaiting()) > 0);
    // Without its store the browser has kept nothing.
    read().catch(() => undefined);
  }, []);
  return saved && <p className="mt-2 font-medium">{t("stillSaved")}</p>;
}

/** Shown to a PIN session instead of a page that needs a password. */
export function NeedsPassword() {
  const t = useTranslations("atTill");
  return (
    <EmptyState
      icon={KeyRoundIcon}
      title={t("needsPassword")}
      description={t("needsPasswordText")}
      action={
        <Button size="lg" onClick={toPassword}>
          {t("password")}
        </Button>
      }
    />
  );
}

function toPassword(): void {
  const { pathname, search } = window.location;
  const from = pathname.startsWith("/login") ? "" : `&from=${encodeURIComponent(pathname + search)}`;
  postSignOut(`/login?password=1${from}`);
}

type ReadyTill = Extract<TillState, { kind: "ready" }>;
type Face = OwnTill["workers"][number];

function WhoIsThere({ device, till, refresh, onSignedIn }: ReadyTill & Omit<AskProps, "state">) {
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
    const answer = await signInByPin(device, worker.id, pin);
    if (answer.kind === "ok") return onSignedIn(answer.cashier);
    // Whether the till is locked now, or retired.
    if (answer.kind === "refused") void refresh();
    setBusy(false);
    setProblem(answer.kind === "lost" ? t("lost") : answer.message);
  };
  return (
    <div className="flex flex-col gap-6 landscape-phone:gap-2">
      {till.pinLocked && <Notice>{t("closed")}</Notice>}
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
      {!face && <Faces faces={till.workers} onChoose={choose} />}
      <Button
        variant="ghost"
        className="self-center text-muted-foreground hover:text-accent-foreground"
        onClick={toPassword}
      >
        {t("password")}
      </Button>
    </div>
  );
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <Alert variant="warning" icon={CircleAlertIcon}>
      {children}
    </Alert>
  );
}

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
            <Avatar name={face.name} className="size-14" />
            <bdi className="line-clamp-3 wrap-anywhere font-medium leading-tight">{face.name}</bdi>
            {!face.hasPin && <span className="text-muted-foreground text-xs">{t("noPin")}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}

const LENGTH = 6;
const DOTS = [0, 1, 2, 3, 4, 5] as const;

function PinPad({
  name,
  busy,
  problem,
  onBack,
  onPin,
}: {
  name: string;
  busy: boolean;
  problem: ReactNode;
  onBack: () => void;
  onPin: (pin: string) => void;
}) {
  const t = useTranslations("atTill");
  const id = useId();
  const [pin, setPin] = useState("");
  const field = useRef<HTMLInputElement>(null);
  // A layout effect runs before further input: a digit typed now would send the refused PIN again.
  useLayoutEffect(() => {
    if (busy) return;
    setPin("");
    field.current?.focus();
  }, [busy]);
  const change = (text: string) => {
    if (busy) return;
    const next = toLatinDigits(text).replace(/\D/g, "").slice(0, LENGTH);
    setPin(next);
    if (next.length === LENGTH) onPin(next);
  };
  const key = (label: ReactNode, value: string, text?: string) => (
    <Button
      key={value}
      type="button"
      variant="outline"
      aria-label={text}
      className="h-14 font-semibold text-xl tabular-nums landscape-phone:h-11"
      onClick={() => change(value === "" ? pin.slice(0, -1) : pin + value)}
    >
      {label}
    </Button>
  );
  return (
    <div
      className="mx-auto flex w-full max-w-72 flex-col gap-5 landscape-phone:grid landscape-phone:max-w-2xl landscape-phone:grid-cols-2 landscape-phone:items-center"
      aria-busy={busy}
    >
      <div className="grid gap-3">
        <label htmlFor={id} className="text-center font-semibold text-lg">
          {t("pinOf", { name })}
        </label>
        <div className="relative" dir="ltr">
          <input
            ref={field}
            id={id}
            value={pin}
            onChange={(event) => change(event.target.value)}
            // The keypad below replaces the device's keyboard.
            inputMode="none"
            autoComplete="off"
            spellCheck={false}
            readOnly={busy}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? `${id}-problem` : undefined}
            className="absolute inset-0 size-full rounded-lg bg-transparent text-transparent caret-transparent selection:bg-transparent"
          />
          <div aria-hidden className="pointer-events-none flex h-12 items-center justify-center gap-4">
            {DOTS.map((dot) => (
              <span
                key={dot}
                className={cn(
                  "size-4 rounded-full border-2",
                  dot < pin.length && "bg-primary",
                  problem ? "border-destructive" : dot < pin.length ? "border-primary" : "border-input",
                  busy && "motion-safe:animate-pulse",
                )}
              />
            ))}
          </div>
        </div>
        {problem && (
          <div className="mx-auto">
            <FieldError id={`${id}-problem`}>{problem}</FieldError>
          </div>
        )}
      </div>
      <div dir="ltr" className="grid grid-cols-3 gap-2">
        {[..."123456789"].map((digit) => key(digit, digit))}
        <Button
          type="button"
          variant="ghost"
          className="h-14 min-w-0 px-1 landscape-phone:h-11"
          onClick={onBack}
        >
          <span className="truncate">{t("back")}</span>
        </Button>
        {key("0", "0")}
        {key(<DeleteIcon className="size-5" aria-hidden />, "", t("deleteDigit"))}
      </div>
    </div>
  );
}
