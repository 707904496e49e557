import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { merchantSignUpWire, signedUpReply } from "@/lib/http/wire/merchant";
import { signUpMerchant } from "@/lib/merchants/sign-up-merchant";

export const POST = route({
  run: signUpMerchant,
  summary:
    "Signs up a merchant with its owner and first branch. An administrator then approves or rejects it.",
  tag: "Merchants",
  body: merchantSignUpWire,
  reply: signedUpReply,
  message: "api.merchantReceived",
  example: {
    sBusinessName: "Karak House",
    sFirstName: "Noora",
    sLastName: "Al-Kuwari",
    sEmail: "owner@karak.test",
    sPhoneNumber: "+974 5512 3456",
    sPassword: "a long new password",
    branch: { sBranchName: "The Pearl", sCity: "Doha" },
  },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
