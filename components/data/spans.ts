"use client";

import { useTranslations } from "next-intl";
import { addDays, formatNumericDate, lastDays, monthStart, qatarDay } from "@/lib/domain/time";

/** Days (YYYY-MM-DD), both included; an empty text is open. */
export type Span = { from: string; to: string };

export const SPANS = ["today", "yesterday", "week", "month", "lastMonth"] as const;

/** The days of a preset, seen from today in Asia/Qatar. */
export function spanOf(key: (typeof SPANS)[number], today: string): Span {
  const month = monthStart(today);
  const before = addDays(month, -1);
  return {
    today: { from: today, to: today },
    yesterday: { from: addDays(today, -1), to: addDays(today, -1) },
    week: { from: lastDays(today, 7)[0] ?? today, to: today },
    month: { from: month, to: today },
    lastMonth: { from: monthStart(before), to: before },
  }[key];
}

/** Says a span: "Last 7 days", "01/11 – 07/11/2026", "From 01/11/2026". With `dates` a preset's days are said, not its name. */
export function useSpanText(dates = false): (span: Span) => string {
  const t = useTranslations("list.spans");
  return ({ from, to }) => {
    if (!from && !to) return t("any");
    const today = qatarDay(new Date());
    const preset = SPANS.find((key) => {
      const span = spanOf(key, today);
      return span.from === from && span.to === to;
    });
    if (preset && !dates) return t(preset);
    const [first, last] = [formatNumericDate(from), formatNumericDate(to)];
    if (first === last) return first;
    if (!to) return t("since", { from: first });
    if (!from) return t("until", { to: last });
    const year = last.slice(-5);
    return t("between", { from: first.endsWith(year) ? first.slice(0, -year.length) : first, to: last });
  };
}
