import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { projectRoot } from "../lib/project";

type Service = {
  environment?: Record<string, string | null>;
  read_only?: boolean;
  tmpfs?: string[];
  ports?: string[];
  depends_on?: string[] | Record<string, unknown>;
  configs?: { source: string }[];
};
type Settings = Record<string, string>;

/** The services of compose, and the environments of the server and of the migrations. */
export type Composed = { services: Record<string, Service>; app: Settings; migrate: Settings };

type ComposeFile = { services: Record<string, Service>; configs?: Record<string, { content: string }> };

/** A compose file, with the values that it takes from its environment. Throws for one that is missing. */
export function composeFile(given: Settings, file = "docker-compose.yml"): ComposeFile {
  const text = readFileSync(join(projectRoot, file), "utf8");
  const filled = text.replace(
    /(?<!\$)\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind: string, rest = "") => {
      const value = given[name];
      if (!value && kind === "?") throw new Error(`${file} needs ${name}: ${rest}`);
      return value || (kind === "-" ? rest : "");
    },
  );
  return parse(filled, { merge: true }) as ComposeFile;
}

/** The services of docker-compose.yml. Throws as composeFile does. */
export const composeServices = (given: Settings): Record<string, Service> => composeFile(given).services;

/** The environment of a service, with these hosts in place of compose's own. */
export function environmentOf(service: Service | undefined, hosts: Settings): Settings {
  const entries = Object.entries(service?.environment ?? {}).map(([name, value]) => {
    const placed = Object.entries(hosts).reduce(
      (text, [host, here]) => text.replace(host, here),
      String(value ?? ""),
    );
    return [name, placed] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}
