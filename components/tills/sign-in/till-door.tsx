"use client";

import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { type FormEvent, useEffect, useId, useState } from "react";
import { BranchName } from "@/components/data/names";
import { FieldError } from "@/components/forms/field-error";
import { ShopHead } from "@/components/layout/shop-mark";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/components/ui/utils";
import { toLatinDigits } from "@/lib/domain/money";
import { PANELS } from "@/lib/domain/panels";
import { shopOf } from "../device/own-till";
import { useOwnTill } from "../device/use-own-till";
import { AskTitle, AskWho } from "./ask-who";
import { pairDevice } from "./till-api";

const LENGTH = 8;

function grouped(text: string): string {
  const digits = toLatinDigits(text).replace(/\D/g, "").slice(0, LENGTH);
  return digits.length > 4 ? `${digits.slice(0, 4)} ${digits.slice(4)}` : digits;
}

function PairForm({ initial, pair }: { initial: string; pair: (code: string) => Promise<string | null> }) {
  const t = useTranslations("atTill");
  const id = useId();
  const [code, setCode] = useState(grouped(initial));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const digits = code.replace(" ", "");
    if (digits.length < LENGTH) return setProblem(t("codeShort"));
    setBusy(true);
    setProblem(await pair(digits));
    setBusy(false);
  };
  return (
    <form onSubmit={submit} noValidate aria-busy={busy} className="flex flex-col gap-4">
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={id}>{t("code")}</Label>
        <Input
          id={id}
          value={code}
          onChange={(event) => {
            setProblem(null);
            setCode(grouped(event.target.value));
          }}
          inputMode="numeric"
          autoComplete="one-time-code"
          dir="ltr"
          placeholder="0000 0000"
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          className="text-center font-mono text-2xl tabular-nums tracking-[0.1em] placeholder:text-muted-foreground/50 md:text-2xl"
        />
        {problem && <FieldError id={`${id}-problem`}>{problem}</FieldError>}
      </div>
      <Button type="submit" size="lg" aria-disabled={busy || undefined}>
        {busy && <Spinner />}
        {t("pair")}
      </Button>
    </form>
  );
}

/** The sign-in of a till: its faces, or the form that pairs this browser. `from` is where the cashier goes on. */
export function TillDoor({ from }: { from: string | null }) {
  const t = useTranslations("atTill");
  const locale = useLocale();
  const { state, refresh } = useOwnTill();
  /** The code at first, while the form is open. */
  const [code, setCode] = useState<string | null>(null);
  useEffect(() => {
    // From the link of the owner's dialog.
    setCode(window.location.hash.slice(1).replace(/\D/g, "") || null);
  }, []);
  const pair = async (digits: string): Promise<string | null> => {
    if (!window.isSecureContext) return t("insecure");
    const answer = await pairDevice(digits);
    if (answer.kind !== "ok")
      return answer.code === "code_invalid" ? t("codeInvalid") : answer.message || t("lost");
    window.history.replaceState(null, "", window.location.pathname + window.location.search);
    await refresh();
    setCode(null);
    return null;
  };
  const isOpen = code !== null || state.kind === "none";
  const ready = state.kind === "ready" ? state : null;
  const { note, ...shop } = ready ? shopOf(ready.till, locale) : { name: "", logoUrl: null };
  return (
    <>
      {note && !isOpen && <ShopHead shop={{ ...shop, note }} />}
      <div className="flex flex-col gap-1.5 landscape-phone:flex-row landscape-phone:items-baseline landscape-phone:gap-3">
        <h1 className="font-semibold text-2xl tracking-tight landscape-phone:shrink-0 landscape-phone:text-lg">
          {isOpen ? t("pairTitle") : <AskTitle state={state} />}
        </h1>
        <p className={cn("text-pretty text-muted-foreground text-sm", state.kind === "loading" && "min-h-5")}>
          {isOpen && t("pairIntro")}
          {!isOpen && ready && (
            <>
              <bdi>{ready.till.name}</bdi> · <BranchName of={ready.till.branch} />
            </>
          )}
        </p>
      </div>
      <div className="mt-6 landscape-phone:mt-2">
        {isOpen ? (
          <>
            <PairForm key={code} initial={code ?? ""} pair={pair} />
            <p className="mt-2 text-center text-sm">
              <Link
                href="/login?password=1"
                className="inline-flex min-h-11 items-center font-medium text-primary-strong underline-offset-4 hover:underline"
              >
                {t("password")}
              </Link>
            </p>
          </>
        ) : (
          <AskWho
            state={state}
            refresh={refresh}
            onPairAgain={() => setCode("")}
            // A full load removes all data of the user who was signed in before.
            onSignedIn={() => window.location.assign(from ?? PANELS.branch_worker.topup)}
          />
        )}
      </div>
    </>
  );
}
