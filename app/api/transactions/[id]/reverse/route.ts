import { z } from "zod";
import { idSchema } from "@/lib/domain/ids";
import { route } from "@/lib/http/route";
import { receiptReply, replayedHeader, reverseWire } from "@/lib/http/wire/money";
import { reverse } from "@/lib/ledger/move-points";

export const POST = route({
  run: reverse,
  summary: "Posts the opposite of a movement; asked again it answers the same reversal.",
  tag: "Counter",
  params: z.object({ id: idSchema }).transform(({ id }) => ({ movementId: id })),
  body: reverseWire,
  reply: receiptReply,
  headers: replayedHeader,
  message: "api.reversed",
  idempotent: true,
  limit: "money",
  errors: [
    "movement_not_found",
    "reason_required",
    "undo_expired",
    "not_latest",
    "not_reversible",
    "already_spent",
    "balance_limit",
    "merchant_unavailable",
    "customer_blocked",
    "customer_frozen",
    "customer_erased",
    "key_reused",
  ],
  example: { sReason: "Wrong customer" },
});
