import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { openedShiftReply, openShiftWire, shiftsReply, shiftsWire } from "@/lib/http/wire/shift";
import { listShifts } from "@/lib/tills/read-shifts";
import { openShift } from "@/lib/tills/run-shifts";

export const GET = route({
  run: listShifts,
  summary: "Shifts, the latest opened first: an owner's all, a worker's own and those of the proving till.",
  tag: "Shifts",
  query: shiftsWire,
  reply: shiftsReply,
});

export const POST = route({
  run: openShift,
  summary:
    "Opens a till's shift with the cash in its drawer (dirhams). A worker does it with the till's proof.",
  tag: "Shifts",
  body: openShiftWire,
  reply: openedShiftReply,
  message: "api.shiftOpened",
  example: { iTillId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19", iFloat: 20_000 },
});

export const { DELETE, OPTIONS, PATCH, PUT } = otherMethods("GET", "POST");
