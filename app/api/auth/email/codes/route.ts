import { sendOwnEmailCodes } from "@/lib/accounts/change-own-email";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { ownEmailCodesReply, ownEmailCodesWire } from "@/lib/http/wire/account";

export const POST = route({
  run: sendOwnEmailCodes,
  summary: "Mails the codes that change the caller's email: one to the new address, one to the present one.",
  tag: "Accounts",
  body: ownEmailCodesWire,
  reply: ownEmailCodesReply,
  message: "api.otpSent",
  example: { sEmail: "noora@karak.test" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
