/** The parameters in a path. One that takes all further segments is a list. */
export type Params = Readonly<Record<string, string | string[]>>;
export type Handler = (request: Request, context: { params: Params }) => Promise<Response>;

/** A call of the table with its handler. `path` is such as "branches/{id}"; "{...key}" takes all further segments. */
export type ApiCall = Readonly<{ method: string; path: string; handle: Handler }>;
export type Handlers = Readonly<Record<string, Handler>>;
export type Match = { handlers: Handlers; params: Params; route: string };

/** The pattern of a call's path, such as "/api/branches/:id", for logs and metrics. */
export const routeOf = (path: string): string => `/api/${path.replaceAll(/\{(?:\.\.\.)?(\w+)\}/g, ":$1")}`;

function paramsOf(pattern: string[], segments: string[]): Params | undefined {
  const params: Record<string, string | string[]> = {};
  let at = 0;
  for (const part of pattern) {
    const segment = segments[at];
    if (segment === undefined) return undefined;
    if (part.startsWith("{...")) return { ...params, [part.slice(4, -1)]: segments.slice(at) };
    if (part.startsWith("{")) params[part.slice(1, -1)] = segment;
    else if (part !== segment) return undefined;
    at++;
  }
  return at === segments.length ? params : undefined;
}

/** Fixed segments come before parameters, and parameters before one that takes all further segments: "{" sorts after letters. */
const rankOf = (path: string) => path.replaceAll("{...", "~");

/** Answers for these calls what the segments of a path below /api lead to; undefined for an unknown path. */
export function matcherOf(calls: readonly ApiCall[]): (segments: string[]) => Match | undefined {
  const patterns = [...Map.groupBy(calls, ({ path }) => path)]
    .sort(([a], [b]) => (rankOf(a) < rankOf(b) ? -1 : 1))
    .map(([path, own]) => ({
      pattern: path.split("/"),
      handlers: Object.fromEntries(own.map(({ method, handle }) => [method, handle])),
      route: routeOf(path),
    }));
  return (segments) => {
    for (const { pattern, handlers, route } of patterns) {
      const params = paramsOf(pattern, segments);
      if (params) return { handlers, params, route };
    }
    return undefined;
  };
}
