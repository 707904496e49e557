import { verifyCode } from "@/lib/cards/sign-up";
import { cookieLine, verificationCookie } from "@/lib/http/cookies";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { verifyOtpReply, verifyOtpWire } from "@/lib/http/wire/customer";

export const POST = route({
  run: verifyCode,
  summary:
    "Proves an email by its code, for one registration within 15 minutes. Five wrong guesses burn the code.",
  tag: "Customer sign-up",
  body: verifyOtpWire,
  reply: verifyOtpReply,
  headers: (output) => [["Set-Cookie", cookieLine(verificationCookie(output.verification))]],
  message: "api.emailVerified",
  example: { sType: "EMAIL", sAuth: "REGISTER", sLogin: "layla@example.com", sCode: "123456" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
