import { z } from "zod";
import { nothingSchema } from "@/lib/domain/ids";
import { type ApiRoute, type Method, openApiDocument } from "@/lib/http/openapi";
import { type RouteHandler, route } from "@/lib/http/route";
import { ROUTES } from "./routes";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

function isRoute(value: unknown): value is RouteHandler {
  return typeof value === "function" && "spec" in value;
}

const readDocument = Object.assign(async () => apiDocument(), {
  permission: "public" as const,
  input: nothingSchema,
});

/** The route of the OpenAPI document. It is not in ROUTES, because it imports them. */
export const documentRoute = route({
  run: readDocument,
  summary: "This document.",
  tag: "Operations",
  respond: {
    contentType: "application/json",
    schema: z.looseObject({ openapi: z.string() }),
    from: (document) => Response.json(document, { headers: { "Cache-Control": "public, max-age=300" } }),
  },
});

const ALL_ROUTES: typeof ROUTES = [...ROUTES, ["/openapi.json", { GET: documentRoute }]];

/** Every operation of the API with its handler. */
export function apiRoutes(): (ApiRoute & { handler: RouteHandler })[] {
  return ALL_ROUTES.flatMap(([path, handlers]) =>
    METHODS.flatMap((method) => {
      const handler = handlers[method];
      if (!isRoute(handler)) return [];
      return [{ path, method: method.toLowerCase() as Method, spec: handler.spec, handler }];
    }),
  );
}

let cached: ReturnType<typeof openApiDocument> | undefined;

/** The OpenAPI document of this program. It is cached, because it is slow to build and public. */
export function apiDocument() {
  cached ??= openApiDocument(apiRoutes());
  return cached;
}
