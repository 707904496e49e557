import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { idParams } from "@/lib/http/wire/branch";
import { closeShiftWire, shiftReply } from "@/lib/http/wire/shift";
import { closeShift } from "@/lib/tills/run-shifts";

export const POST = route({
  run: closeShift,
  summary: "Closes a shift by the count (dirhams a tender) and answers its report, which is never changed.",
  tag: "Shifts",
  params: idParams,
  body: closeShiftWire,
  reply: shiftReply,
  message: "api.shiftClosed",
  example: { oCounted: { cash: 84_500, card: 12_000 }, sNote: "Two coins were foreign." },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
