import { type ApiRow, bind } from "@/lib/calls/bind";
import { searchCalls } from "./names";
import { searchPanel } from "./search-panel";

/** The calls of the search with their operations. */
export const searchApi: readonly ApiRow[] = [
  bind(searchCalls.searchPanel, searchPanel, {
    summary:
      "Up to five customers, transactions (by reference or bill number), branches, workers and merchants for a term of three characters or more, within the caller's reach.",
    tag: "Activity",
  }),
];
