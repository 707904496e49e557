import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { entriesReply, entriesWire } from "@/lib/http/wire/offline";
import { listEntries } from "@/lib/tills/offline-inbox";

export const GET = route({
  run: listEntries,
  summary: "What tills kept without a connection that could not be posted, the latest received first.",
  tag: "Tills",
  query: entriesWire,
  reply: entriesReply,
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
