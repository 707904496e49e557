import { afterEach, expect, test, vi } from "vitest";
import { replyError } from "@/lib/api/reply";
import { verifyProof } from "@/lib/tills/till-proof";
import { newKeys } from "./device";
import { sendSigned } from "./signed-fetch";

const url = new URL("http://localhost:3000/api/tills/me");
const of = { method: "GET", url: url.href, token: null };

afterEach(() => vi.useRealTimers());

test("a wrong clock takes the server's nonce, and its time for the proofs after", async () => {
  const now = new Date();
  const keys = await newKeys();
  let refused = 0;
  const server = async (_url: string, init: RequestInit) => {
    const proof = new Headers(init.headers).get("dpop") ?? "";
    try {
      await verifyProof(proof, of, now);
      return new Response();
    } catch (error) {
      refused += 1;
      const answer = replyError(error, "en", "request", {});
      answer.headers.set("date", now.toUTCString());
      return answer;
    }
  };
  vi.useFakeTimers({ now: now.getTime() - 10 * 60_000, toFake: ["Date"] });
  expect((await sendSigned(keys, url, {}, server)).status).toBe(200);
  expect(refused).toBe(1);
  expect((await sendSigned(keys, url, {}, server)).status).toBe(200);
  expect(refused).toBe(1);
});
