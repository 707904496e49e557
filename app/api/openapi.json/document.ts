import { type ApiRoute, type Method, openApiDocument } from "@/lib/http/openapi";
import type { RouteHandler } from "@/lib/http/route";
import { ROUTES } from "./routes";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

function isRoute(value: unknown): value is RouteHandler {
  return typeof value === "function" && "spec" in value;
}

/** Every operation of the API, from the route files themselves. */
export function apiRoutes(): ApiRoute[] {
  return ROUTES.flatMap(([path, handlers]) =>
    METHODS.flatMap((method) => {
      const handler = handlers[method];
      return isRoute(handler) ? [{ path, method: method.toLowerCase() as Method, spec: handler.spec }] : [];
    }),
  );
}

/** The OpenAPI document of this very program. */
export function apiDocument() {
  return openApiDocument(apiRoutes());
}
