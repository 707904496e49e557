import { expect, test } from "vitest";
import { z } from "zod";
import { DomainError, type ErrorCode } from "@/lib/domain/errors";
import { LOCALES } from "@/lib/domain/roles";
import { validationError } from "@/lib/operations/operation";
import { errorList } from "./openapi";
import { readableProblems, replyError, replyOk } from "./reply";

const cacheControl = (response: Response) => response.headers.get("cache-control");

test("answers are not cached, and only long ones are compressed", async () => {
  const short = replyOk("Success", { alive: true });
  expect(cacheControl(short)).toBe("no-store, no-transform");
  expect(await short.json()).toEqual({ status: 200, message: "Success", data: { alive: true } });
  expect(cacheControl(replyOk("Success", { text: "x".repeat(1024) }))).toBe("no-store");
  const refused = replyError(new DomainError("not_found"), "en", "a-request");
  expect([refused.status, cacheControl(refused)]).toEqual([404, "no-store, no-transform"]);
});

test("an answer keeps its own Cache-Control header", () => {
  expect(cacheControl(replyOk("Success", {}, { "Cache-Control": "max-age=60" }))).toBe("max-age=60");
});

test("each answer of 503 says when to come again", () => {
  const retryAfter = (code: ErrorCode, params = {}) =>
    replyError(new DomainError(code, params), "en", "a-request").headers.get("retry-after");
  expect(retryAfter("unavailable")).toBe("2");
  expect(retryAfter("unavailable", { seconds: 5 })).toBe("5");
  expect(retryAfter("outcome_unknown")).toBe("2");
});

const schema = z.object({
  sCity: z.string(),
  nPage: z.number(),
  nLimit: z.coerce.number().int().min(1).max(100).default(25),
  nSize: z.number().int().positive().optional(),
  place: z.object({ sName: z.string().min(1).max(3) }),
});
const refused = (value: unknown) => {
  const { error } = schema.safeParse(value);
  return error ? readableProblems("en", validationError(error, schema).problems) : [];
};

test("each invalid field has a message that distinguishes a missing value from a wrong one", () => {
  expect(refused({ nPage: "two", place: { sName: "" } })).toEqual([
    { path: "sCity", message: "This field is required" },
    { path: "nPage", message: "Please enter a whole number" },
    { path: "place.sName", message: "This field is required" },
  ]);
  expect(refused({ sCity: "Doha", nPage: 1, place: { sName: "long" } })).toEqual([
    { path: "place.sName", message: "This is too long" },
  ]);
  expect(refused({ sCity: null, nPage: 1, place: { sName: "ok" } })).toEqual([
    { path: "sCity", message: "This has the wrong type" },
  ]);
});

test("a message about a number names its bounds, not its length", () => {
  const rest = { sCity: "Doha", nPage: 1, place: { sName: "ok" } };
  const between = { path: "nLimit", message: "The number must be between 1 and 100" };
  expect(refused({ ...rest, nLimit: "0" })).toEqual([between]);
  expect(refused({ ...rest, nLimit: 101 })).toEqual([between]);
  expect(refused({ ...rest, nLimit: "many" })).toEqual([
    { path: "nLimit", message: "Please enter a whole number" },
  ]);
  expect(refused({ ...rest, nLimit: 1.5 })).toEqual([
    { path: "nLimit", message: "Please enter a whole number" },
  ]);
  expect(refused({ ...rest, nSize: 0 })).toEqual([
    { path: "nSize", message: "The number must be at least 1" },
  ]);
});

test.each(LOCALES)(
  "the documentation has a sentence for each refusal in %s, with nothing left to fill",
  (locale) => {
    const unfilled = errorList(locale).filter(({ text }) => /^errors\.|[{}]/.test(text));
    expect(unfilled).toEqual([]);
  },
);
