import { expect, test } from "vitest";
import { pointsSchema, topUpSchema } from "@/lib/ledger/model/movements";
import { formatPhone, normalisePhone } from "./contact";
import {
  cashValue,
  cleanSaleRef,
  formatAmount,
  formatPoints,
  formatQar,
  formatSignedCount,
  formatSignedPoints,
  parsePoints,
  signedPercent,
  toLatinDigits,
} from "./money";
import { phoneSchema } from "./typed";

test.each([
  [100, 100],
  ["100", 100],
  [" 007 ", 7],
  ["١٠٠", 100],
  ["۲۵۰", 250],
  [1e2, 100],
])("parses %j as %i points", (input, points) => {
  expect(parsePoints(input)).toEqual({ ok: true, points });
});

test.each([
  [1.5, "whole"],
  ["1.5", "whole"],
  ["١٫٥", "whole"],
  ["1e3", "whole"],
  ["+5", "whole"],
  ["1 000", "whole"],
  ["1,000", "whole"],
  ["ten", "whole"],
  ["0x10", "whole"],
  ["-5", "positive"],
  [-5, "positive"],
  [0, "positive"],
  ["٠", "positive"],
  ["", "required"],
  [null, "required"],
  [Number.NaN, "required"],
  [Number.POSITIVE_INFINITY, "tooLarge"],
  [2 ** 53, "tooLarge"],
  ["99999999999999999999", "tooLarge"],
])("rejects %j: %s", (input, problem) => {
  expect(parsePoints(input)).toEqual({ ok: false, problem });
});

test("errors are catalogue keys", () => {
  expect(pointsSchema.safeParse("1.5").error?.issues[0]?.message).toBe("validation.points.whole");
  expect(pointsSchema.safeParse(undefined).error?.issues[0]?.message).toBe("validation.points.required");
  const issues = topUpSchema.safeParse({ customerId: " ", points: "5" }).error?.issues ?? [];
  expect(issues.map((issue) => issue.message)).toEqual([
    "validation.customer.required",
    "validation.branch.required",
  ]);
  expect(phoneSchema.safeParse("").error?.issues.map((issue) => issue.message)).toEqual([
    "validation.phone.required",
  ]);
  expect(phoneSchema.safeParse("123").error?.issues[0]?.message).toBe("validation.phone.invalid");
});

test("QAR values use whole-number arithmetic", () => {
  expect(cashValue(350, 100)).toBe("350.00");
  expect(cashValue(3, 33)).toBe("0.99");
  expect(cashValue(-5, 105)).toBe("-5.25");
  expect(cashValue(9_007_199_254_740_991n, 1000)).toBe("90071992547409910.00");
});

test("amounts have thousands separators, units and signs", () => {
  expect(formatPoints(1250, "en")).toBe("1,250 pts");
  expect(formatSignedPoints(1250, "en")).toBe("+1,250 pts");
  expect(formatSignedPoints(-5, "ar")).toBe("\u2066−5\u2069 نقاط");
  expect([1, 2, 5, 11, 100, 1250].map((points) => formatPoints(points, "ar"))).toEqual([
    "نقطة واحدة",
    "نقطتان",
    "5 نقاط",
    "11 نقطة",
    "100 نقطة",
    "1,250 نقطة",
  ]);
  expect([0, 1, 2].map((points) => formatPoints(points, "en"))).toEqual(["0 pts", "1 pt", "2 pts"]);
  expect(formatSignedPoints(1, "en")).toBe("+1 pt");
  expect(formatQar("1234567.50", "en")).toBe("QAR 1,234,567.50");
  expect(formatQar("-50.00", "en")).toBe("−QAR 50.00");
  expect(formatQar("-50.00", "ar")).toBe("\u2066−50.00\u2069 ر.ق");
  expect([formatQar("5.00", "en", true), formatQar("0.00", "en", true)]).toEqual(["+QAR 5.00", "QAR 0.00"]);
  expect([formatAmount("-1234.50"), formatAmount("1234.50", true)]).toEqual(["−1,234.50", "+1,234.50"]);
  expect([formatSignedCount(-1234), formatSignedCount(1234), formatSignedCount(0)]).toEqual([
    ...["−1,234", "+1,234", "0"],
  ]);
  expect([signedPercent(91, 100), signedPercent(-50, -100), signedPercent(7, 7)]).toEqual(["−9", "+50", "0"]);
  expect(toLatinDigits("أ١۲3")).toBe("أ123");
});

// The last one as it is copied from a phone's contacts, with marks of direction around it.
const QATAR = ["+974 5512 3456", "97455123456", "55123456", "٥٥١٢٣٤٥٦", "\u202a+974 5512 3456\u202c"];
test.each(QATAR)("%s is a Qatar number", (text) => {
  expect(normalisePhone(text)).toBe("+97455123456");
  expect(formatPhone(text)).toBe("+974 5512 3456");
});

test.each(["+97155123456", "5512345", "551234567", "+55123456", "5512-3456"])(
  "%s is not a Qatar number",
  (text) => {
    expect(normalisePhone(text)).toBeNull();
  },
);

test("a bill number is on one line, in 0-9, and without halves of characters, which no database stores", () => {
  expect(cleanSaleRef(" ١٢\t\n۳ ")).toBe("12 3");
  expect(cleanSaleRef("B-7 🧾")).toBe("B-7 🧾");
  expect(cleanSaleRef("B-7 \ud83e")).toBe("B-7");
  expect(cleanSaleRef("\udfff")).toBeUndefined();
});
