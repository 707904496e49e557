import { apiDocument } from "./document";

/** What the API is, made of the routes themselves. */
export function GET(): Response {
  return Response.json(apiDocument(), { headers: { "Cache-Control": "public, max-age=300" } });
}
