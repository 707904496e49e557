import { describe, expect, it } from "vitest";
import {
  addDays,
  formatDate,
  formatDateTime,
  formatDay,
  formatNumericDate,
  formatShortDate,
  formatUntil,
  relativeAge,
  TIME_ZONE,
  toIsoDay,
} from "./time";

const now = new Date("2026-11-21T08:00:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);

describe("relativeAge", () => {
  it.each([
    [0, { count: 0, unit: "s" }],
    [59, { count: 59, unit: "s" }],
    [60, { count: 1, unit: "m" }],
    [3599, { count: 59, unit: "m" }],
    [3600, { count: 1, unit: "h" }],
    [86_399, { count: 23, unit: "h" }],
    [86_400 * 3, { count: 3, unit: "d" }],
    [-30, { count: 0, unit: "s" }],
  ])("%i seconds", (seconds, age) => {
    expect(relativeAge(ago(seconds), now)).toEqual(age);
  });
});

describe("dates", () => {
  it("are as ICU writes them, in each month and language", () => {
    for (const [locale, tag] of [
      ["en", "en-GB"],
      ["ar", "ar-u-nu-latn"],
    ] as const) {
      const icu = new Intl.DateTimeFormat(tag, { timeZone: "UTC", day: "numeric", month: "short" });
      const whole = new Intl.DateTimeFormat(tag, {
        timeZone: TIME_ZONE,
        day: "numeric",
        month: "short",
        year: "numeric",
      });
      for (let month = 1; month <= 12; month++) {
        const day = `2026-${String(month).padStart(2, "0")}-0${(month % 9) + 1}`;
        expect(formatShortDate(day, locale)).toBe(icu.format(new Date(day)));
        // The day in Qatar, three hours ahead of UTC.
        const evening = new Date(`${addDays(day, -1)}T21:00:00Z`);
        expect(formatDate(evening, locale)).toBe(whole.format(evening));
      }
    }
  });

  it("have their year if that is not today's", () => {
    expect(formatDay("2026-11-30", "en", "2026-01-01")).toBe("30 Nov");
    expect(formatDay("2027-11-30", "en", "2026-11-28")).toBe("30 Nov 2027");
    expect(formatDay("2025-12-31", "ar", "2026-01-01")).toBe("31 ديسمبر 2025");
  });

  it("are in the time of Asia/Qatar", () => {
    expect(formatDateTime(now, "en")).toBe("21 Nov 2026, 11:00");
    expect(formatDateTime(now, "ar")).toMatch(/11:00$/);
  });
  it("of birth have the form DD/MM/YYYY", () => {
    expect(formatNumericDate("1994-03-09")).toBe("09/03/1994");
    expect(formatNumericDate("soon")).toBe("soon");
  });
});

it.each([
  ["21031994", "1994-03-21"],
  ["21/03/1994", "1994-03-21"],
  ["1.3.1994", "1994-03-01"],
  ["٢١/٠٣/١٩٩٤", "1994-03-21"],
  ["1994-03-21", "1994-03-21"],
  ["21/03/94", "21/03/94"],
  ["", ""],
])("a day typed as %s is %s", (typed, day) => {
  expect(toIsoDay(typed)).toBe(day);
});

it("an end of today is a time, one of another day in Qatar has its date", () => {
  const now = new Date("2026-11-25T10:00:00Z");
  expect(formatUntil(new Date("2026-11-25T11:05:00Z"), now, "en")).toBe("14:05");
  expect(formatUntil(new Date("2026-11-25T21:05:00Z"), now, "en")).toBe("26 Nov 2026, 00:05");
});
