import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Module, type Node, parseSync } from "@swc/core";

/** The facts about one file of the program, as far as texts are concerned. */
type Source = {
  /** A client component begins here. */
  client: boolean;
  /** Server actions: a browser has only their names. */
  server: boolean;
  /** The files of the project that it imports, types aside. */
  imports: string[];
  /** The keys of the catalogue that it asks for. */
  keys: Set<string>;
};

/** Whether `key` is one of the wanted ones: `wanted` may be a key, a part with all below it, or end in `*`. */
type Catalogue = { keys: readonly string[]; has: ReadonlySet<string> };

type Any = Node & Record<string, unknown>;
const isNode = (value: unknown): value is Any =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

/** Visits a tree. What `see` answers false for is not entered. */
function walk(value: unknown, see: (node: Any) => boolean | undefined): void {
  if (Array.isArray(value)) {
    for (const part of value) walk(part, see);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (isNode(value) && see(value) === false) return;
  for (const part of Object.values(value)) if (typeof part === "object") walk(part, see);
}

const nameOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === "Identifier" ? String(node.value) : undefined;

const elementsOf = (array: Any) =>
  (array.elements as ({ expression: unknown } | null)[]).map((part) => part?.expression);

/** The file that an import names, or null for a package. */
function resolve(root: string, from: string, name: string): string | null {
  if (!name.startsWith("@/") && !name.startsWith(".")) return null;
  const base = name.startsWith("@/") ? join(root, name.slice(2)) : join(dirname(from), name);
  const found = ["", ".ts", ".tsx", "/index.ts", "/index.tsx"]
    .map((end) => base + end)
    .find((path) => /\.tsx?$/.test(path) && statSync(path, { throwIfNoEntry: false })?.isFile());
  return found ?? null;
}

/** The texts that an expression may be: each with `*` for what is not known before it runs. Null if nothing is known. */
function textsOf(node: unknown, constants: ReadonlyMap<string, unknown>): string[] | null {
  if (!isNode(node)) return null;
  const all = (...nodes: unknown[]) => {
    const texts = nodes.map((part) => textsOf(part, constants));
    return texts.includes(null) ? null : texts.flatMap((some) => some ?? []);
  };
  switch (node.type) {
    case "StringLiteral":
      return [String(node.value)];
    case "TemplateLiteral": {
      const [first] = node.quasis as { cooked?: string; raw: string }[];
      const start = first?.cooked ?? first?.raw ?? "";
      return (node.expressions as unknown[] | undefined)?.length === 0
        ? [start]
        : start === ""
          ? null
          : [`${start}*`];
    }
    case "ConditionalExpression":
      return all(node.consequent, node.alternate);
    case "ParenthesisExpression":
    case "TsAsExpression":
    case "TsConstAssertion":
      return all(node.expression);
    case "Identifier": {
      const value = constants.get(String(node.value));
      return value && value !== node ? all(value) : null;
    }
    default:
      return null;
  }
}

/** The keys of the catalogue that are meant by a text, below `space`. */
function matching(catalogue: Catalogue, space: string, text: string): string[] {
  const full = space ? `${space}.${text}` : text;
  if (full.endsWith("*")) return catalogue.keys.filter((key) => key.startsWith(full.slice(0, -1)));
  return catalogue.has.has(full) ? [full] : catalogue.keys.filter((key) => key.startsWith(`${full}.`));
}

/** Reads what a file imports and which texts it asks for. */
function readSource(root: string, path: string, catalogue: Catalogue): Source {
  const code = readFileSync(path, "utf8");
  const tree: Module = parseSync(code, { syntax: "typescript", tsx: path.endsWith("x") });
  const directives = new Set(
    (tree.body as unknown as Any[]).flatMap((node) => {
      const inner = node.expression;
      return node.type === "ExpressionStatement" && isNode(inner) && inner.type === "StringLiteral"
        ? [String(inner.value)]
        : [];
    }),
  );
  const imports: string[] = [];
  const keys = new Set<string>();
  const constants = new Map<string, unknown>();
  const translators = new Map<string, Set<string>>();
  const addImport = (name: unknown) => {
    const target = typeof name === "string" ? resolve(root, path, name) : null;
    if (target) imports.push(target);
  };
  walk(tree.body, (node) => {
    const { type } = node;
    if (
      type === "ImportDeclaration" ||
      type === "ExportNamedDeclaration" ||
      type === "ExportAllDeclaration"
    ) {
      const parts = (node.specifiers ?? []) as { isTypeOnly?: boolean }[];
      const typesOnly =
        node.typeOnly === true || (parts.length > 0 && parts.every((part) => part.isTypeOnly));
      if (!typesOnly) addImport((node.source as { value?: string } | null)?.value);
      return false;
    }
    if (type === "CallExpression" && isNode(node.callee) && node.callee.type === "Import") {
      addImport((node.arguments as { expression: { value?: string } }[])[0]?.expression.value);
    }
    if (type === "VariableDeclarator") {
      const name = nameOf(node.id);
      const init = isNode(node.init) ? node.init : undefined;
      if (!name || !init) return true;
      if (init.type === "CallExpression" && nameOf(init.callee) === "useTranslations") {
        const [first] = init.arguments as { expression: { value?: string } }[];
        const spaces = translators.get(name) ?? new Set();
        translators.set(name, spaces.add(first?.expression.value ?? ""));
      } else constants.set(name, init);
    }
    return true;
  });
  const ask = (name: string, texts: string[] | null, line: string) => {
    const found: string[] = [];
    for (const space of translators.get(name) ?? []) {
      if (texts === null && space === "") continue;
      found.push(...(texts ?? ["*"]).flatMap((text) => matching(catalogue, space, text)));
    }
    for (const key of found) keys.add(key);
    if (found.length === 0 && texts !== null) throw new Error(`${path}: no text of the catalogue is ${line}`);
  };
  walk(tree.body, (node) => {
    const { type } = node;
    // A key that is written out is used somewhere: the messages of schemas are.
    if (type === "StringLiteral" && catalogue.has.has(String(node.value))) keys.add(String(node.value));
    // So is one with a part that is known only then: `validation.upload.${category}`.
    if (type === "TemplateLiteral" && /^\w+\./.test(textsOf(node, constants)?.[0] ?? "")) {
      for (const text of textsOf(node, constants) ?? []) {
        for (const key of matching(catalogue, "", text)) keys.add(key);
      }
    }
    if (type === "ImportDeclaration" || type === "TsTypeAnnotation") return false;
    // The dependencies of a hook.
    if (type === "ArrayExpression" && elementsOf(node).every((part) => nameOf(part))) return false;
    if (type === "VariableDeclarator" && translators.has(nameOf(node.id) ?? "")) return false;
    if (type === "CallExpression" && isNode(node.callee)) {
      const { callee } = node;
      const name = nameOf(callee) ?? (callee.type === "MemberExpression" ? nameOf(callee.object) : undefined);
      if (name && translators.has(name)) {
        const args = node.arguments as { expression: unknown }[];
        const texts = textsOf(args[0]?.expression, constants);
        ask(name, texts, texts?.join(", ") ?? "");
        walk(args, (inner) => see(inner));
        return false;
      }
    }
    return see(node);
  });
  // A translator that is handed on may be asked for anything below it.
  function see(node: Any): boolean {
    const name = nameOf(node);
    if (name && translators.has(name)) ask(name, null, name);
    return node.type !== "ImportDeclaration";
  }
  return { client: directives.has("use client"), server: directives.has("use server"), imports, keys };
}

function flatten(tree: object, prefix = ""): string[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? [prefix + key] : flatten(value as object, `${prefix}${key}.`),
  );
}

/** Finds the texts that the client components of a page use, of the catalogue `messages`. Paths are below `root`. */
export function clientTextsOf(root: string, messages: object): (entry: string) => Set<string> {
  const keys = flatten(messages);
  const catalogue: Catalogue = { keys, has: new Set(keys) };
  const known = new Map<string, Source>();
  const sourceOf = (path: string) => {
    const source = known.get(path) ?? readSource(root, path, catalogue);
    known.set(path, source);
    return source;
  };
  return (entry) => {
    const found = new Set<string>();
    const seen = new Set<string>();
    const visit = (path: string, inClient: boolean) => {
      const state = `${path} ${inClient}`;
      if (seen.has(state)) return;
      seen.add(state);
      const source = sourceOf(path);
      if (inClient && source.server) return;
      const client = inClient || source.client;
      if (client) for (const key of source.keys) found.add(key);
      for (const next of source.imports) visit(next, client);
    };
    visit(join(root, entry), false);
    return found;
  };
}
