import { sendCode } from "@/lib/cards/sign-up";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { sendOtpReply, sendOtpWire } from "@/lib/http/wire/customer";

export const POST = route({
  run: sendCode,
  summary: "Emails a six-digit code that is valid for 300 seconds. A new code replaces the old one.",
  tag: "Customer sign-up",
  body: sendOtpWire,
  reply: sendOtpReply,
  message: "api.otpSent",
  example: { sType: "EMAIL", sAuth: "REGISTER", sLogin: "layla@example.com" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
