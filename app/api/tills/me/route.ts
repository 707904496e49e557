import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { ownTillReply } from "@/lib/http/wire/till";
import { ownTill } from "@/lib/tills/pair-till";

export const GET = route({
  run: ownTill,
  summary: "The till that proves itself, its open shift, and the workers of its branch.",
  tag: "Tills",
  secret: "till",
  reply: ownTillReply,
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
