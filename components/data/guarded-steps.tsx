"use client";

import { ArrowRightIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { DialogCancel } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { SheetDescription, SheetFooter, SheetHeader, SheetTitle } from "@/components/ui/sheet";
import { cn } from "@/components/ui/utils";
import { toLatinDigits } from "@/lib/domain/money";

export type Fact = { label: string; before?: string; after: string; strong?: boolean };

const plain = (text: string) => toLatinDigits(text.trim()).toLocaleLowerCase();

/** An action that cannot be undone, as the two steps of a sheet: what it does, then a text to type before `submit`. */
export function GuardedSteps({
  title,
  description,
  facts,
  expected,
  onContinue,
  submit,
  children,
}: {
  title: string;
  description: ReactNode;
  facts: readonly Fact[];
  expected: string;
  /** Answers whether the first step is complete. */
  onContinue?: () => Promise<boolean>;
  submit: (ready: boolean) => ReactNode;
  children?: ReactNode;
}) {
  const t = useTranslations("list.guard");
  const id = useId();
  const [last, setLast] = useState(false);
  const [typed, setTyped] = useState("");
  const go = async () => {
    if (!onContinue || (await onContinue())) setLast(true);
  };
  return (
    <>
      <SheetHeader className="pb-0">
        <p className="font-medium text-muted-foreground text-xs">{t("step", { step: last ? 2 : 1 })}</p>
        <SheetTitle>{title}</SheetTitle>
        <SheetDescription>{description}</SheetDescription>
      </SheetHeader>
      <div className="flex flex-col gap-4 px-5">
        <Facts facts={facts} />
        {!last && children}
        {last && (
          <div className="flex flex-col gap-1.5">
            <label htmlFor={id} className="text-sm">
              {t.rich("type", { expected, b: (text) => <bdi className="font-semibold">{text}</bdi> })}
            </label>
            <Input
              id={id}
              autoFocus
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
        )}
      </div>
      <SheetFooter className="flex-row justify-end">
        {last ? (
          <Button variant="outline" onClick={() => setLast(false)}>
            {t("back")}
          </Button>
        ) : (
          <DialogCancel />
        )}
        {last ? submit(plain(typed) === plain(expected)) : <Button onClick={go}>{t("continue")}</Button>}
      </SheetFooter>
    </>
  );
}

function Facts({ facts }: { facts: readonly Fact[] }) {
  const t = useTranslations("list.guard");
  return (
    <dl className="divide-y rounded-lg border">
      {facts.map(({ label, before, after, strong }) => (
        <div key={label} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-2.5">
          <dt className="text-muted-foreground text-sm">{label}</dt>
          <dd
            className={cn("ms-auto text-end tabular-nums", strong ? "font-semibold text-lg" : "font-medium")}
          >
            {before !== undefined && (
              <>
                <bdi className="text-muted-foreground line-through">{before}</bdi>{" "}
                <ArrowRightIcon
                  className="inline size-3.5 text-muted-foreground rtl:-scale-x-100"
                  aria-label={t("becomes")}
                />{" "}
              </>
            )}
            <bdi>{after}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
