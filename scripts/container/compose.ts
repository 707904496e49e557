import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { projectRoot } from "../lib/project";

type Service = {
  environment?: Record<string, string | null>;
  read_only?: boolean;
  tmpfs?: string[];
  ports?: string[];
};
type Settings = Record<string, string>;

/** The services of compose, and the environments of the server and of the migrations. */
export type Composed = { services: Record<string, Service>; app: Settings; migrate: Settings };

/** The services of docker-compose.yml, with the values that it takes from its environment. Throws for one that is missing. */
export function composeServices(given: Settings): Record<string, Service> {
  const text = readFileSync(join(projectRoot, "docker-compose.yml"), "utf8");
  const filled = text.replace(
    /(?<!\$)\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind: string, rest = "") => {
      const value = given[name];
      if (!value && kind === "?") throw new Error(`docker-compose.yml needs ${name}: ${rest}`);
      return value || (kind === "-" ? rest : "");
    },
  );
  return (parse(filled, { merge: true }) as { services: Record<string, Service> }).services;
}

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
