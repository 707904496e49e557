import { expect, test } from "vitest";
import { optionalQarSchema, qarBetween, qarSchema } from "./typed";

test.each([
  ["0", 0],
  ["150", 15_000],
  ["1,250.5", 125_050],
  [" 7.05 ", 705],
  ["١٬٢٥٠٫٧٥", 125_075],
])("%s is %d dirhams", (text, dirhams) => expect(qarSchema.parse(text)).toBe(dirhams));

test.each(["", "-1", "1.234", "abc", "1e3", "12345678", "1.2.3"])("%s is no amount", (text) => {
  expect(qarSchema.safeParse(text).success).toBe(false);
});

test("an amount that is not counted is none", () => {
  expect(optionalQarSchema.parse(" ")).toBeUndefined();
  expect(optionalQarSchema.parse("0")).toBe(0);
  expect(optionalQarSchema.safeParse("x").success).toBe(false);
});

test("an amount within bounds; another says the bounds in QAR", () => {
  const rate = qarBetween(1, 100_000);
  expect(rate.parse("0.01")).toBe(1);
  const refused = rate.safeParse("1000.01");
  expect(refused.error?.issues[0]?.message).toBe("validation.number.between?min=0.01&max=1000");
});
