"use client";

import { useLocale, useTranslations } from "next-intl";
import { Popover } from "radix-ui";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { type DateRange, DayPicker } from "react-day-picker";
import { FieldError } from "@/components/forms/field-error";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { direction } from "@/lib/domain/roles";
import { dayStart, formatDate, formatNumericDate, qatarDay, toIsoDay } from "@/lib/domain/time";
import { SPANS, type Span, spanOf } from "./spans";

// The picker counts in the browser's own days; only their numbers are used.
const toLocal = (day: string) => new Date(`${day}T12:00:00`);
const pad = (part: number) => String(part).padStart(2, "0");
const toDay = (date: Date) => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
const typedDay = (date: Date | undefined) => (date ? formatNumericDate(toDay(date)) : "");
const isDay = (text: string) => text >= "1900-01-01" && toDay(toLocal(text)) === text;

/** Presets, typed days and a calendar for a span of days. Open at first; `children` is its button. */
export function RangePicker({
  span,
  onChoose,
  required,
  children,
}: {
  span: Span;
  onChoose: (span: Span) => void;
  required: boolean;
  children: ReactNode;
}) {
  const t = useTranslations("list.spans");
  const [open, setOpen] = useState(true);
  const today = qatarDay(new Date());
  const choose = (chosen: Span) => {
    setOpen(false);
    onChoose(chosen);
  };
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>{children}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={t("title")}
          className="range-picker z-50 flex max-h-(--radix-popover-content-available-height) w-76 max-w-[calc(100vw-1rem)] flex-col gap-3 overflow-y-auto rounded-xl border bg-popover p-3 text-popover-foreground shadow-xl max-sm:max-h-[92dvh] max-sm:w-full max-sm:max-w-full max-sm:rounded-t-2xl max-sm:rounded-b-none max-sm:p-4 pointer-coarse:sm:w-84 landscape-phone:max-h-[96dvh] landscape-phone:w-full landscape-phone:max-w-full landscape-phone:gap-2 landscape-phone:rounded-t-2xl landscape-phone:rounded-b-none"
        >
          <div className="flex flex-wrap gap-1.5">
            {SPANS.map((key) => {
              const preset = spanOf(key, today);
              const chosen = preset.from === span.from && preset.to === span.to;
              return (
                <Button
                  key={key}
                  size="sm"
                  variant={chosen ? "soft" : "outline"}
                  aria-pressed={chosen}
                  onClick={() => choose(preset)}
                >
                  {t(key)}
                </Button>
              );
            })}
            {!required && (span.from || span.to) && (
              <Button size="sm" variant="ghost" onClick={() => choose({ from: "", to: "" })}>
                {t("any")}
              </Button>
            )}
          </div>
          <TypedSpan key={`${span.from} ${span.to}`} span={span} choose={choose} today={today} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function TypedSpan({ span, choose, today }: { span: Span; choose: (span: Span) => void; today: string }) {
  const t = useTranslations("list.spans");
  const [typed, setTyped] = useState({ from: formatNumericDate(span.from), to: formatNumericDate(span.to) });
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const days = { from: toIsoDay(typed.from), to: toIsoDay(typed.to) };
  const known = (day: string) => (isDay(day) ? toLocal(day) : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The picker may be in another form.
    event.stopPropagation();
    const wrong = [days.from, days.to].some((day) => day !== "" && !isDay(day));
    if (wrong) return setProblem(t("wrong"));
    if (days.from && days.to && days.from > days.to) return setProblem(t("backwards"));
    choose(days);
  };
  const field = (name: "from" | "to") => (
    <div className="flex min-w-0 flex-1 flex-col gap-1">
      <label htmlFor={`${id}-${name}`} className="text-muted-foreground text-xs">
        {t(name)}
      </label>
      <Input
        id={`${id}-${name}`}
        dir="ltr"
        inputMode="numeric"
        autoComplete="off"
        placeholder={t("format")}
        className="px-2 tabular-nums"
        value={typed[name]}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        onChange={(event) => {
          setProblem(null);
          setTyped({ ...typed, [name]: event.target.value });
        }}
        onBlur={() => isDay(days[name]) && setTyped({ ...typed, [name]: formatNumericDate(days[name]) })}
      />
    </div>
  );
  return (
    <form
      onSubmit={submit}
      noValidate
      className="flex flex-col gap-3 landscape-phone:grid landscape-phone:grid-cols-2 landscape-phone:content-start landscape-phone:items-start"
    >
      <div className="flex gap-2">
        {field("from")}
        {field("to")}
      </div>
      {problem && <FieldError id={`${id}-problem`}>{problem}</FieldError>}
      <Calendar
        today={today}
        selected={{ from: known(days.from), to: known(days.to) }}
        onSelect={(range) => {
          setProblem(null);
          setTyped({ from: typedDay(range?.from), to: typedDay(range?.to) });
        }}
      />
      <Button type="submit" disabled={!typed.from && !typed.to}>
        {t("apply")}
      </Button>
    </form>
  );
}

const NAV = "grid size-9 place-items-center rounded-md hover:bg-accent pointer-coarse:size-11";

type CalendarProps = {
  today: string;
  selected: DateRange;
  onSelect: (range: DateRange | undefined) => void;
};

function Calendar({ today, selected, onSelect }: CalendarProps) {
  const t = useTranslations("list.spans");
  const locale = useLocale();
  const tag = locale === "ar" ? "ar-u-nu-latn" : "en-GB";
  const last = toLocal(today);
  const monthName = (month: Date) => month.toLocaleDateString(tag, { month: "long", year: "numeric" });
  const dayName = (date: Date) => formatDate(dayStart(toDay(date)), locale);
  return (
    <DayPicker
      mode="range"
      className="landscape-phone:col-start-2 landscape-phone:row-span-4 landscape-phone:row-start-1"
      dir={direction(locale)}
      today={last}
      defaultMonth={selected.from ?? selected.to ?? last}
      selected={selected}
      onSelect={onSelect}
      weekStartsOn={0}
      // No list has days to come.
      disabled={{ after: last }}
      endMonth={last}
      showOutsideDays
      formatters={{
        formatCaption: monthName,
        formatWeekdayName: (date) =>
          date.toLocaleDateString(tag, { weekday: locale === "ar" ? "narrow" : "short" }).slice(0, 2),
        formatDay: (date) => String(date.getDate()),
      }}
      labels={{
        labelNext: () => t("nextMonth"),
        labelPrevious: () => t("previousMonth"),
        labelDayButton: (date, { selected }) =>
          selected ? t("chosen", { day: dayName(date) }) : dayName(date),
        labelGrid: monthName,
        labelWeekday: (date) => date.toLocaleDateString(tag, { weekday: "long" }),
        labelNav: () => t("months"),
      }}
      classNames={{
        months: "relative",
        month_caption: "flex h-9 items-center justify-center font-medium text-sm pointer-coarse:h-11",
        nav: "absolute inset-x-0 top-0 flex justify-between",
        button_previous: NAV,
        button_next: NAV,
        chevron: "size-4 fill-current",
        month_grid: "mx-auto border-collapse pointer-coarse:w-full",
        weekday: "size-9 font-normal text-muted-foreground text-xs",
        day: "p-0 text-center text-sm tabular-nums",
        day_button:
          "size-9 rounded-md hover:bg-accent pointer-coarse:h-11 pointer-coarse:w-full landscape-phone:h-9",
        outside: "text-muted-foreground/60",
        disabled: "opacity-40",
        today: "font-semibold text-primary-strong",
        range_start: "rounded-s-md bg-primary-soft [&>button]:bg-primary [&>button]:text-primary-foreground",
        range_end: "rounded-e-md bg-primary-soft [&>button]:bg-primary [&>button]:text-primary-foreground",
        range_middle: "bg-primary-soft",
      }}
    />
  );
}
