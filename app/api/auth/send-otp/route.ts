import { sendCode } from "@/lib/cards/sign-up";
import { route } from "@/lib/http/route";
import { sendOtpReply, sendOtpWire } from "@/lib/http/wire/customer";

export const POST = route({
  run: sendCode,
  summary: "Mails a six-digit code, good for 300 seconds. A new code replaces the old.",
  tag: "Customer sign-up",
  body: sendOtpWire,
  reply: sendOtpReply,
  message: "api.otpSent",
  example: { sType: "EMAIL", sAuth: "REGISTER", sLogin: "layla@example.com" },
});
