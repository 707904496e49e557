import { GET as pass } from "@/app/api/customer/[id]/apple-wallet-pass/route";

type Context = Parameters<typeof pass>[1];

/**
 * The page route of the specification, with the handler of the API. A browser that gets no pass goes to the card's page,
 * which says what is wrong.
 */
export async function GET(request: Request, context: Context): Promise<Response> {
  const response = await pass(request, context);
  if (response.ok || !request.headers.get("accept")?.includes("text/html")) return response;
  const id = encodeURIComponent(String((await context.params)?.id ?? ""));
  const Location = `/customer/loyalty-card/${id}`;
  return new Response(null, { status: 303, headers: { Location, "Cache-Control": "no-store" } });
}
