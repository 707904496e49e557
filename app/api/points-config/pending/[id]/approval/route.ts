import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { idParams } from "@/lib/http/wire/branch";
import { configReply } from "@/lib/http/wire/config";
import { approvePending } from "@/lib/points-config/decide-pending";

export const PUT = route({
  run: approvePending,
  summary: "Approves a change of the points configuration that needs a second administrator.",
  tag: "Points configuration",
  params: idParams,
  reply: configReply,
  message: "api.pendingApproved",
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST } = otherMethods("PUT");
