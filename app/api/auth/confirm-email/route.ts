import { sendMailboxLink } from "@/lib/accounts/prove-mailbox";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { doneReply } from "@/lib/http/wire/account";

export const POST = route({
  run: sendMailboxLink,
  summary: "Emails the caller once more the link that confirms their address, until it is confirmed.",
  tag: "Accounts",
  reply: doneReply,
  message: "api.linkSent",
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
