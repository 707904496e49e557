import type { Handler } from "./route";

/** A call of the table with its handler. `path` is such as "branches/{id}"; "{...key}" takes all further segments. */
export type ApiCall = Readonly<{ method: string; path: string; handle: Handler }>;
/** The handlers of a path by method. */
export type Handlers = Readonly<Record<string, Handler>>;
type PathParams = Record<string, string | string[]>;
/**
 * The match of a path: its handlers, the parameters in the path, and the pattern for logs
 * ("/api/branches/:id").
 */
export type Match = { handlers: Handlers; params: PathParams; route: string };

type Entry = { handlers: Record<string, Handler>; route: string };
type Node = {
  fixed: Map<string, Node>;
  /** A segment with a parameter. */
  any?: { name: string; node: Node };
  /** A parameter that takes all further segments. */
  rest?: { name: string; entry: Entry };
  entry?: Entry;
};

const emptyNode = (): Node => ({ fixed: new Map() });
const emptyEntry = (path: string): Entry => ({
  handlers: {},
  route: `/api/${path.replaceAll(/\{(?:\.\.\.)?(\w+)\}/g, ":$1")}`,
});

/** The entry of a path, made when it is new. */
function entryOf(root: Node, path: string): Entry {
  let node = root;
  for (const segment of path.split("/")) {
    const [, dots, name = ""] = /^\{(\.\.\.)?(\w+)\}$/.exec(segment) ?? [];
    if (dots) {
      node.rest ??= { name, entry: emptyEntry(path) };
      return node.rest.entry;
    }
    let next = name ? node.any?.node : node.fixed.get(segment);
    next ??= emptyNode();
    if (name) node.any = { name, node: next };
    else node.fixed.set(segment, next);
    node = next;
  }
  node.entry ??= emptyEntry(path);
  return node.entry;
}

/** Fixed segments win over parameters, and parameters over one that takes all further segments. */
function find(node: Node, segments: string[], at: number): Match | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.entry && { ...node.entry, params: {} };
  const fixed = node.fixed.get(segment);
  const found = fixed && find(fixed, segments, at + 1);
  if (found) return found;
  const below = node.any && find(node.any.node, segments, at + 1);
  if (node.any && below) {
    return {
      handlers: below.handlers,
      route: below.route,
      params: { [node.any.name]: segment, ...below.params },
    };
  }
  return (
    node.rest && {
      handlers: node.rest.entry.handlers,
      route: node.rest.entry.route,
      params: { [node.rest.name]: segments.slice(at) },
    }
  );
}

/** Answers for these calls what the segments of a path below /api lead to; undefined for an unknown path. */
export function matcherOf(calls: readonly ApiCall[]): (segments: string[]) => Match | undefined {
  const root = emptyNode();
  for (const { method, path, handle } of calls) entryOf(root, path).handlers[method] = handle;
  return (segments) => find(root, segments, 0);
}
