import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { idParams } from "@/lib/http/wire/branch";
import { configReply } from "@/lib/http/wire/config";
import { cancelPending } from "@/lib/points-config/decide-pending";

export const DELETE = route({
  run: cancelPending,
  summary:
    "Cancels a change of the points configuration or of an allowance that waits, and emails the owners concerned.",
  tag: "Points configuration",
  params: idParams,
  reply: configReply,
  message: "api.pendingCancelled",
});

export const { GET, HEAD, OPTIONS, PATCH, POST, PUT } = otherMethods("DELETE");
