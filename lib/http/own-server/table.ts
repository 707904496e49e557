import type { RouteHandler } from "../route";

type Handlers = Readonly<Record<string, RouteHandler>>;
/** A route file of the API by its pattern in Next's form, such as "/api/branches/[id]", with its handlers by method. */
export type ApiFile = { pattern: string; handlers: Handlers };
type PathParams = Record<string, string | string[]>;
/** What a path leads to: the handlers, the parameters in the path, and the pattern for logs ("/api/branches/:id"). */
export type Match = { handlers: Handlers; params: PathParams | undefined; route: string };

type Node = {
  fixed: Map<string, Node>;
  /** A segment with a parameter. */
  any?: { name: string; node: Node };
  /** A parameter that takes all further segments. */
  rest?: { name: string; file: Entry };
  file?: Entry;
};
type Entry = { handlers: Handlers; route: string };

// Everything else (escapes, empty segments, dots) is rare, and Next decides what it means.
const PLAIN = /^\/api(?:\/[\w~-][\w.~-]*)+$/;

const emptyNode = (): Node => ({ fixed: new Map() });

function add(root: Node, { pattern, handlers }: ApiFile): void {
  const entry = { handlers, route: pattern.replaceAll(/\[(?:\.\.\.)?(\w+)\]/g, ":$1") };
  let node = root;
  for (const segment of pattern.split("/").slice(1)) {
    const [, dots, name = ""] = /^\[(\.\.\.)?(\w+)\]$/.exec(segment) ?? [];
    if (dots) {
      node.rest = { name, file: entry };
      return;
    }
    let next = name ? node.any?.node : node.fixed.get(segment);
    next ??= emptyNode();
    if (name) node.any = { name, node: next };
    else node.fixed.set(segment, next);
    node = next;
  }
  node.file = entry;
}

/** Fixed segments win over parameters, and parameters over a catch-all, as in Next. */
function find(node: Node, segments: string[], at: number): Match | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.file && { ...node.file, params: undefined };
  const fixed = node.fixed.get(segment);
  const found = fixed && find(fixed, segments, at + 1);
  if (found) return found;
  const below = node.any && find(node.any.node, segments, at + 1);
  if (node.any && below) return { ...below, params: { [node.any.name]: segment, ...below.params } };
  return node.rest && { ...node.rest.file, params: { [node.rest.name]: segments.slice(at) } };
}

/**
 * The route table of the API. It answers what a path leads to; undefined for every path that is not written plainly or
 * that no file stands for, which Next answers.
 */
export function apiTable(files: readonly ApiFile[]): (path: string) => Match | undefined {
  const root = emptyNode();
  for (const file of files) add(root, file);
  // Paths without parameters are found without a search.
  const fixed = new Map(
    files.filter(({ pattern }) => !pattern.includes("[")).map(({ pattern }) => [pattern, pattern.split("/")]),
  );
  const known = new Map([...fixed].map(([path, segments]) => [path, find(root, segments, 1)]));
  return (path) => known.get(path) ?? (PLAIN.test(path) ? find(root, path.split("/"), 1) : undefined);
}
