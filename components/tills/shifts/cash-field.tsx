"use client";

import { CalculatorIcon, CoinsIcon, MinusIcon, PlusIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { useController } from "react-hook-form";
import { NumberPad } from "@/components/counter/number-pad";
import { Field, type FieldProps, useFormBusy } from "@/components/forms/field";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/utils";
import { cashValue, formatCount, formatQar, toLatinDigits } from "@/lib/domain/money";

/** The notes and coins of a drawer, in QAR, largest first. */
const NOTES = [500, 200, 100, 50, 10, 5, 1];
type NoteCounts = Record<number, number>;

const sumOfNotes = (counts: NoteCounts): number =>
  NOTES.reduce((sum, note) => sum + note * (counts[note] ?? 0), 0);

const QAR = /^\d{1,7}(?:\.\d{0,2})?$/;
const MOST_NOTES = 9_999;

/** An amount of cash in QAR, with the counter's pad; with `notes` it may be counted note by note. The value stays text. */
export function CashField({
  notes = false,
  name,
  label,
  hint,
  ...rest
}: Pick<FieldProps, "name" | "label" | "hint"> & { notes?: boolean; autoFocus?: boolean }) {
  const t = useTranslations("shiftDesk");
  const { field: input } = useController<Record<string, string>>({ name });
  const busy = useFormBusy();
  const [counting, setCounting] = useState(false);
  const [counts, setCounts] = useState<NoteCounts>({});
  return (
    <Field name={name} label={label} hint={hint}>
      {(control) => (
        <div className="grid gap-3">
          <input
            {...rest}
            {...control}
            {...input}
            dir="ltr"
            // The pad below replaces the phone's keyboard, which would cover it.
            inputMode="none"
            autoComplete="off"
            maxLength={14}
            placeholder="0"
            className={cn(
              "w-full min-w-0 rounded-xl border-2 bg-muted px-3 py-1 text-center font-bold tabular-nums placeholder:text-current/45 aria-invalid:border-destructive",
              input.value.length > 7 ? "text-5xl" : "text-[4.5rem] short:text-5xl",
            )}
          />
          {counting ? (
            <NoteGrid
              counts={counts}
              onCounts={(next) => {
                setCounts(next);
                const sum = sumOfNotes(next);
                input.onChange(sum > 0 ? String(sum) : "");
              }}
            />
          ) : (
            <NumberPad
              value={input.value}
              corner="."
              accepts={QAR}
              disabled={busy}
              onChange={input.onChange}
            />
          )}
          {notes && (
            <Button
              variant="outline"
              size="lg"
              aria-expanded={counting}
              onClick={() => setCounting(!counting)}
            >
              {counting ? <CalculatorIcon aria-hidden /> : <CoinsIcon aria-hidden />}
              {t(counting ? "typeAmount" : "countNotes")}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}

function NoteGrid({ counts, onCounts }: { counts: NoteCounts; onCounts: (counts: NoteCounts) => void }) {
  const t = useTranslations("shiftDesk");
  const locale = useLocale();
  const qar = (amount: number) => formatQar(cashValue(amount, 100), locale);
  const set = (note: number, count: number) =>
    onCounts({ ...counts, [note]: Math.min(Math.max(count, 0), MOST_NOTES) });
  return (
    <div className="grid gap-1" data-slot="notes">
      {NOTES.map((note) => {
        const count = counts[note] ?? 0;
        return (
          <fieldset key={note} className="grid grid-cols-[2.5rem_auto_minmax(0,1fr)] items-center gap-2">
            <legend className="sr-only">{qar(note)}</legend>
            <span className="text-end font-semibold text-lg tabular-nums" aria-hidden>
              {note}
            </span>
            <div className="flex items-center gap-1">
              <Button
                variant="outline"
                size="icon-xl"
                aria-label={t("lessOf", { note })}
                disabled={count === 0}
                onClick={() => set(note, count - 1)}
              >
                <MinusIcon aria-hidden />
              </Button>
              <input
                aria-label={t("countOf", { note })}
                dir="ltr"
                inputMode="numeric"
                autoComplete="off"
                maxLength={4}
                placeholder="0"
                value={count === 0 ? "" : count}
                className="h-12 w-14 min-w-0 rounded-md border border-input bg-card text-center font-semibold text-lg tabular-nums placeholder:text-muted-foreground"
                onChange={(event) => set(note, Number(toLatinDigits(event.target.value).replace(/\D/g, "")))}
              />
              <Button
                variant="outline"
                size="icon-xl"
                aria-label={t("moreOf", { note })}
                onClick={() => set(note, count + 1)}
              >
                <PlusIcon aria-hidden />
              </Button>
            </div>
            <span className="truncate text-end text-muted-foreground text-sm tabular-nums">
              {count > 0 && formatCount(note * count)}
            </span>
          </fieldset>
        );
      })}
      <p role="status" className="mt-1 flex justify-between gap-2 border-t pt-2 font-semibold tabular-nums">
        {t("sum")} <bdi>{qar(sumOfNotes(counts))}</bdi>
      </p>
    </div>
  );
}
