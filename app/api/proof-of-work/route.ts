import { z } from "zod";
import { cookieLine, passCookie } from "@/lib/http/cookies";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { same } from "@/lib/http/wire/names";
import { proveWork } from "@/lib/visitors/prove-work";

export const POST = route({
  run: proveWork,
  summary:
    "The solution of a proof of work, which a page asks for where one address opens too many. Sets a short-lived cookie.",
  tag: "Operations",
  body: same("challenge", "solution"),
  reply: { schema: z.object({ done: z.literal(true) }), from: () => ({ done: true as const }) },
  example: {
    challenge: {
      parameters: {
        ...{ algorithm: "PBKDF2/SHA-256", nonce: "5e8f0c1a", salt: "9b7d2a44", cost: 1000, keyLength: 32 },
        ...{
          keyPrefix: "00",
          keySignature: "b1946ac9",
          expiresAt: 1_795_334_400,
          data: { address: "kQ3vX" },
        },
      },
      signature: "0d1f42ce",
    },
    solution: { counter: 512, derivedKey: "9c41d7e2" },
  },
  headers: ({ pass }) => [["Set-Cookie", cookieLine(passCookie(pass))]],
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
