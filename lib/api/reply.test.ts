import { expect, test } from "vitest";
import { DomainError, type ErrorCode } from "@/lib/domain/errors";
import { replyError, replyOk } from "./reply";

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
