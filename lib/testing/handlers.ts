import type { Handler } from "@/lib/api/match";
import { API_CALLS } from "@/lib/api/table";

// Apart from calls.ts, which journeys import too: a browser test cannot load the server.

/** The handler of a call in the API's table, such as handlerOf("PUT", "branches/{id}"). */
export function handlerOf(method: string, path: string): Handler {
  const found = API_CALLS.find((call) => call.method === method && call.path === path);
  if (!found) throw new Error(`the API has no ${method} ${path}`);
  return found.handle;
}
