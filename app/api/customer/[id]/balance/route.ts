import { z } from "zod";
import { readCardState } from "@/lib/cards/card";
import { idSchema } from "@/lib/domain/ids";
import { holderOf } from "@/lib/http/cookies";
import { route } from "@/lib/http/route";
import { cardStateReply } from "@/lib/http/wire/customer";

export const GET = route({
  run: readCardState,
  summary: "A card's balance now, by its private id; its live QR for the card holder's cookie only.",
  tag: "Customer card",
  params: z.object({ id: idSchema }),
  input: ({ params, headers }) => ({ customerId: params.id, holder: holderOf(headers, params.id) }),
  reply: cardStateReply,
  // A card that is looked at asks every four seconds, and a shop's Wi-Fi is one address.
  limit: "session",
  errors: ["customer_not_found"],
});
