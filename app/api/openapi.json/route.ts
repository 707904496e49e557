import { z } from "zod";
import { nothingSchema } from "@/lib/domain/ids";
import { route } from "@/lib/http/route";
import { apiDocument } from "./document";

const describe = Object.assign(async () => apiDocument(), {
  permission: "public" as const,
  input: nothingSchema,
});

/** What the API is, made of the routes themselves. */
export const GET = route({
  run: describe,
  summary: "This document.",
  tag: "Operations",
  respond: {
    contentType: "application/json",
    schema: z.looseObject({ openapi: z.string() }),
    from: (document) => Response.json(document, { headers: { "Cache-Control": "public, max-age=300" } }),
  },
});
