import { removeFactor, renameFactor } from "@/lib/accounts/factors/manage";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { doneReply } from "@/lib/http/wire/account";
import { renameFactorWire } from "@/lib/http/wire/second-factor";

export const PUT = route({
  run: renameFactor,
  summary: "Renames a second factor of the caller.",
  tag: "Accounts",
  params: { id: "id" },
  body: renameFactorWire,
  reply: doneReply,
  example: { sName: "Work phone" },
});

export const DELETE = route({
  run: removeFactor,
  summary: "Removes a second factor of the caller, and with the last one the recovery codes.",
  tag: "Accounts",
  params: { id: "id" },
  reply: doneReply,
});

export const { GET, HEAD, OPTIONS, PATCH, POST } = otherMethods("PUT", "DELETE");
