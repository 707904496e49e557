import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { configQuery, configReply, editConfigWire } from "@/lib/http/wire/config";
import { editConfig, withdrawOverride } from "@/lib/points-config/edit-config";
import { viewConfig } from "@/lib/points-config/read-config";

export const GET = route({
  run: viewConfig,
  summary:
    "The points configuration in force, and the change of it that waits: the caller's own, or the platform's for an administrator.",
  tag: "Points configuration",
  query: configQuery,
  reply: configReply,
});

export const PUT = route({
  run: editConfig,
  summary:
    "Changes the platform's configuration or a merchant's override. While points are outstanding, the value, the maximums and the undo window wait 24 hours (oPending).",
  tag: "Points configuration",
  body: editConfigWire,
  reply: configReply,
  message: "api.configUpdated",
  example: {
    iDirhamsPerPoint: 100,
    iMinTopup: 1,
    iMaxTopup: 5000,
    iMaxBalance: 20000,
    iUndoMinutes: 15,
    iWorkerDailyCap: null,
  },
});

export const DELETE = route({
  run: withdrawOverride,
  summary:
    "Removes a merchant's override, so that the platform's configuration applies to it again; it waits as a change does (oPending).",
  tag: "Points configuration",
  query: configQuery,
  reply: configReply,
  message: "api.configUpdated",
});

export const { OPTIONS, PATCH, POST } = otherMethods("GET", "PUT", "DELETE");
