import { expect, test } from "vitest";
import { errorText, translator } from "./translate";

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

test.each([
  [1, "1", "بنقطة واحدة"],
  [2, "2", "بنقطتين"],
  [5, "5", "بـ 5 نقاط"],
  [50, "50", "بـ 50 نقطة"],
  [1200, "1,200", "بـ 1,200 نقطة"],
])("a top-up of %i points is confirmed with the right plural", (n, en, ar) => {
  expect(translator("en")("counter.addedCash", { n })).toBe(
    `Successfully added ${en} Cash to customer's account!`,
  );
  expect(translator("ar")("counter.addedCash", { n })).toBe(`تم شحن رصيد العميل ${ar} بنجاح!`);
});

test("a limit in a refusal has the right plural and the next step", () => {
  const refused = (limit: number) => ({ code: "daily_cap" as const, params: { limit } });
  expect(errorText("en", refused(1))).toBe(
    "This goes over your daily limit of 1 point. Ask the owner to do it.",
  );
  expect(errorText("ar", refused(3))).toBe(
    "تتجاوز هذه العملية حدك اليومي، وهو 3 نقاط. اطلب من صاحب المتجر تنفيذها.",
  );
});
