import { z } from "zod";
import { cookieLine, passCookie } from "@/lib/http/cookies";
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
    challenge: { parameters: {}, signature: "0d1f" },
    solution: { counter: 512, derivedKey: "9c41" },
  },
  headers: ({ pass }) => [["Set-Cookie", cookieLine(passCookie(pass))]],
});
