import { readCardState } from "@/lib/cards/card";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { cardStateReply } from "@/lib/http/wire/customer";
import { customerParams } from "@/lib/http/wire/customers";

export const GET = route({
  run: readCardState,
  summary:
    "A card by its private id: its current balance, and the live QR code for the card holder's cookie only.",
  tag: "Customer card",
  params: customerParams,
  reply: cardStateReply,
  // An open card page calls it every four seconds, and all cards on a shop's Wi-Fi have one address.
  limit: "session",
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
