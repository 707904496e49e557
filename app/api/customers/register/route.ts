import { registerCustomer } from "@/lib/cards/sign-up";
import {
  clearedVerificationCookie,
  cookieLine,
  deviceCookie,
  holderCookie,
  readVerificationSecret,
} from "@/lib/http/cookies";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { registerReply, registerWire } from "@/lib/http/wire/customer";

export const POST = route({
  run: registerCustomer,
  summary: "Registers a verified email with a merchant: issues a new card, or answers the existing one.",
  tag: "Customer sign-up",
  body: registerWire,
  more: ({ headers }) => ({ verification: readVerificationSecret(headers) }),
  reply: registerReply,
  headers: (output, { device }) => [
    ["Set-Cookie", cookieLine(holderCookie(output.customerId, output.holderToken))],
    ["Set-Cookie", cookieLine(deviceCookie(device, output.email))],
    ["Set-Cookie", cookieLine(clearedVerificationCookie())],
  ],
  message: "api.registered",
  example: {
    sFullName: "Layla Haddad",
    sEmail: "layla@example.com",
    sPhoneNumber: "+974 5512 3456",
    dDateOfBirth: "1995-04-12",
    iMerchantId: "0190a8c4-7b6e-7c1a-9d55-3f1f0a2b4c6d",
    bConsent: true,
  },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
