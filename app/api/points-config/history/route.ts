import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { configHistoryQuery, configHistoryReply } from "@/lib/http/wire/config";
import { configHistory } from "@/lib/points-config/read-config";

export const GET = route({
  run: configHistory,
  summary: "The changes of the points configuration, newest first: who, when, before and after.",
  tag: "Points configuration",
  query: configHistoryQuery,
  reply: configHistoryReply,
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
