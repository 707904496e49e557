"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { FieldError } from "@/components/forms/field-error";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { Spinner } from "@/components/ui/spinner";
import { toLatinDigits } from "@/lib/domain/money";

const LENGTH = 8;

/** The code as it is shown: in two groups of four. */
function grouped(text: string): string {
  const digits = toLatinDigits(text).replace(/\D/g, "").slice(0, LENGTH);
  return digits.length > 4 ? `${digits.slice(0, 4)} ${digits.slice(4)}` : digits;
}

/** The eight digits of a pairing code, typed, pasted or filled in. `pair` answers the problem in words, or null. */
export function PairForm({
  initial,
  pair,
}: {
  initial: string;
  pair: (code: string) => Promise<string | null>;
}) {
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
