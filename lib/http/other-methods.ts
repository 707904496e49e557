import { DomainError } from "@/lib/domain/errors";
import { LOCALE_COOKIE, pickLocale } from "@/lib/domain/roles";
import { REQUEST_ID_HEADER, withRequest } from "@/lib/observe/request";
import { readCookie } from "./cookies";
import { replyError } from "./reply";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type Method = (typeof METHODS)[number];
type Handler = (request: Request) => Promise<Response>;
/** Next answers HEAD itself where there is a GET. */
type Other<Own extends Method> = Exclude<Method, Own | ("GET" extends Own ? "HEAD" : never)>;

/**
 * The handlers of a path for every method that it does not have: 405 in the format of the API, and 204 for OPTIONS. Both
 * name the methods in Allow.
 */
export function otherMethods<const Own extends Method>(...own: Own[]): Record<Other<Own>, Handler> {
  const has = (method: Method) => own.some((one) => one === method);
  const Allow = METHODS.filter((method) =>
    method === "HEAD" ? has("GET") : method === "OPTIONS" || has(method),
  ).join(", ");
  const options: Handler = async () => new Response(null, { status: 204, headers: { Allow } });
  const refuse: Handler = (request) =>
    withRequest(request.headers.get(REQUEST_ID_HEADER), async ({ id }) => {
      const { headers } = request;
      const locale = pickLocale(readCookie(headers, LOCALE_COOKIE), headers.get("accept-language"));
      return replyError(new DomainError("method_not_allowed"), locale, id, { Allow });
    });
  const handlers = METHODS.map((method) => [method, method === "OPTIONS" ? options : refuse]);
  return Object.fromEntries(handlers) as Record<Other<Own>, Handler>;
}
