import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { idParams } from "@/lib/http/wire/branch";
import { entryReply, resolveWire } from "@/lib/http/wire/offline";
import { resolveEntry } from "@/lib/tills/offline-inbox";

export const POST = route({
  run: resolveEntry,
  summary:
    "Posts an entry of the inbox, moves it to another customer, or writes it off. No limit is passed over.",
  tag: "Tills",
  params: idParams,
  body: resolveWire,
  reply: entryReply,
  message: "api.entryResolved",
  example: { eAction: "write_off", sReason: "The customer was refunded in cash." },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
