import { answerBy } from "@/lib/api/answer";
import { API_CALLS } from "@/lib/api/table";

const answer = answerBy(API_CALLS);

/** The specification's page route, answered by the API. Without a pass, a browser goes to the card's page. */
export async function GET(request: Request, context: { params: Promise<{ id: string }> }): Promise<Response> {
  const { pathname, origin } = new URL(request.url);
  const response = await answer(new Request(`${origin}/api${pathname}`, request));
  if (response.ok || !request.headers.get("accept")?.includes("text/html")) return response;
  const Location = `/customer/loyalty-card/${encodeURIComponent((await context.params).id)}`;
  return new Response(null, { status: 303, headers: { Location, "Cache-Control": "no-store" } });
}
