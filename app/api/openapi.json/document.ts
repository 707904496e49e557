import { z } from "zod";
import { nothingSchema } from "@/lib/domain/ids";
import { type ApiRoute, type Method, openApiDocument } from "@/lib/http/openapi";
import { type RouteHandler, route } from "@/lib/http/route";
import { ROUTES } from "./routes";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

function isRoute(value: unknown): value is RouteHandler {
  return typeof value === "function" && "spec" in value;
}

const describe = Object.assign(async () => apiDocument(), {
  permission: "public" as const,
  input: nothingSchema,
});

/** What the API is, made of the routes themselves. It stands here and not among them, since it names them all. */
export const documentRoute = route({
  run: describe,
  summary: "This document.",
  tag: "Operations",
  respond: {
    contentType: "application/json",
    schema: z.looseObject({ openapi: z.string() }),
    from: (document) => Response.json(document, { headers: { "Cache-Control": "public, max-age=300" } }),
  },
});

const ALL: typeof ROUTES = [...ROUTES, ["/openapi.json", { GET: documentRoute }]];

/** Every operation of the API with its handler, from the route files themselves. */
export function apiRoutes(): (ApiRoute & { handler: RouteHandler })[] {
  return ALL.flatMap(([path, handlers]) =>
    METHODS.flatMap((method) => {
      const handler = handlers[method];
      if (!isRoute(handler)) return [];
      return [{ path, method: method.toLowerCase() as Method, spec: handler.spec, handler }];
    }),
  );
}

let made: ReturnType<typeof openApiDocument> | undefined;

/** The OpenAPI document of this very program, made once: it takes long enough to be felt, and anybody may ask for it. */
export function apiDocument() {
  made ??= openApiDocument(apiRoutes());
  return made;
}
