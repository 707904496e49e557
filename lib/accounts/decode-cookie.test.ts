import { encode } from "next-auth/jwt";
import { afterEach, expect, test, vi } from "vitest";
import { decodeCookie } from "./auth.config";

const salt = "test.session";
const secret = ["a secret of at least thirty-two letters", "the one before"];
const cookie = (sid: string) => encode({ token: { sid }, secret, salt, maxAge: 600 });

afterEach(() => vi.useRealTimers());

test("answers what a cookie says, the first time and the next", async () => {
  const token = await cookie("one");
  for (let time = 0; time < 2; time++) {
    expect(await decodeCookie({ token, secret, salt })).toMatchObject({ sid: "one" });
  }
  expect(await decodeCookie({ token: await cookie("two"), secret, salt })).toMatchObject({ sid: "two" });
});

test("a remembered cookie is not decrypted again", async () => {
  const token = await cookie("kept");
  const first = await decodeCookie({ token, secret, salt });
  expect(await decodeCookie({ token, secret, salt })).toBe(first);
});

test("refuses a forged cookie beside a remembered one", async () => {
  const token = await cookie("real");
  await decodeCookie({ token, secret, salt });
  // The last letter of the tag says less than six bits: another one may stand for the same.
  const [tagless, tag = ""] = [token.slice(0, -22), token.slice(-22)];
  const forged = `${tagless}${tag.startsWith("A") ? "B" : "A"}${tag.slice(1)}`;
  for (let time = 0; time < 2; time++) {
    await expect(decodeCookie({ token: forged, secret, salt })).rejects.toThrow();
  }
});

test("a cookie remembered under one secret is nothing under another, or another name", async () => {
  const token = await cookie("mine");
  await decodeCookie({ token, secret, salt });
  await expect(
    decodeCookie({ token, secret: ["somebody else's secret of many letters"], salt }),
  ).rejects.toThrow();
  await expect(decodeCookie({ token, secret, salt: "other.session" })).rejects.toThrow();
});

test("a remembered cookie expires as any other", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const token = await cookie("short");
  await decodeCookie({ token, secret, salt });
  vi.setSystemTime(Date.now() + 700_000);
  await expect(decodeCookie({ token, secret, salt })).rejects.toThrow();
});

test("answers null without a cookie", async () => {
  expect(await decodeCookie({ secret, salt })).toBeNull();
});
