import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { panelSearchQuery, panelSearchReply } from "@/lib/http/wire/panel-search";
import { searchPanel } from "@/lib/search/search-panel";

export const GET = route({
  run: searchPanel,
  summary:
    "Up to five customers, transactions (by reference or bill number), branches, workers and merchants for a term of three characters or more, within the caller's reach.",
  tag: "Activity",
  query: panelSearchQuery,
  reply: panelSearchReply,
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
