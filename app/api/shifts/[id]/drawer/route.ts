import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { idParams } from "@/lib/http/wire/branch";
import { drawerReply, moveDrawerWire } from "@/lib/http/wire/shift";
import { moveDrawer } from "@/lib/tills/run-shifts";

export const POST = route({
  run: moveDrawer,
  summary: "Records cash (dirhams) that goes into the drawer or out of it and is no sale.",
  tag: "Shifts",
  params: idParams,
  body: moveDrawerWire,
  reply: drawerReply,
  headers: ({ replayed }) => (replayed ? [["Idempotency-Replayed", "true"]] : []),
  message: "api.drawerMoved",
  example: { eType: "pay_out", iAmount: 1_500, sReason: "Milk" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
