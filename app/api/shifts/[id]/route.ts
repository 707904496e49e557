import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { idParams } from "@/lib/http/wire/branch";
import { shiftReply } from "@/lib/http/wire/shift";
import { getShift } from "@/lib/tills/read-shifts";

export const GET = route({
  run: getShift,
  summary: "One shift, with its report once it is closed. An open shift has no sums of money.",
  tag: "Shifts",
  params: idParams,
  reply: shiftReply,
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
