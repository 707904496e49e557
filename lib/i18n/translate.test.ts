import { expect, test } from "vitest";
import { errorText } from "./translate";

test.each([
  [1, "1 second", "ثانية واحدة"],
  [53, "53 seconds", "53 ثانية"],
  [121, "3 minutes", "3 دقائق"],
  [900, "15 minutes", "15 دقيقة"],
])("a wait of %i seconds is shown in a natural unit", (seconds, en, ar) => {
  const error = { code: "rate_limited" as const, params: { seconds, limit: 5 } };
  expect(errorText("en", error)).toBe(`Too many attempts. Please try again in ${en}.`);
  expect(errorText("ar", error)).toBe(`محاولات كثيرة. يرجى المحاولة بعد ${ar}.`);
});
