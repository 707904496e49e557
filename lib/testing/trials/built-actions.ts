import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "@/scripts/lib/command";

/** A server action of the build: its id, its name, and the pages that have it. */
export type BuiltAction = { id: string; name: string; pages: string[] };
type Actions = Record<string, { exportedName: string; workers: Record<string, unknown> }>;

/** The server actions of the build. */
export function actionsOfBuild(): BuiltAction[] {
  const { node }: { node: Actions } = JSON.parse(
    readFileSync(join(projectRoot, ".next/server/server-reference-manifest.json"), "utf8"),
  );
  return Object.entries(node).map(([id, { exportedName: name, workers }]) => ({
    id,
    name,
    pages: Object.keys(workers),
  }));
}

/** The POST by which a browser runs a server action with this id on a page of `origin`. */
export const actionRequest = (
  id: string,
  args: unknown[],
  origin: string,
  headers: Record<string, string>,
): RequestInit => ({
  method: "POST",
  headers: {
    ...headers,
    "next-action": id,
    "content-type": "text/plain;charset=UTF-8",
    accept: "text/x-component",
    origin,
  },
  body: JSON.stringify(args),
});
