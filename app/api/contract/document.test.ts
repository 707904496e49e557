import { spawnSync } from "node:child_process";
import { globSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GET } from "@/app/api/[...unknown]/route";
import { apiDocument, apiRoutes } from "@/app/api/openapi.json/document";
import * as openapi from "@/app/api/openapi.json/route";
import { ROUTES } from "@/app/api/openapi.json/routes";
import { TAGS } from "@/lib/http/openapi";
import { testFolder } from "@/lib/testing/folder";
import { projectRoot } from "@/scripts/lib/project";

// The routes of next-auth, which only the web panels use, and the catch-all for unknown paths.
const UNDOCUMENTED = ["/auth/{nextauth}", "/{unknown}"];

test("the document has every route file and nothing else", () => {
  const files = globSync("app/api/**/route.ts", { cwd: projectRoot })
    .map((file) => file.slice("app/api".length, -"/route.ts".length))
    .map((path) => path.replaceAll(/\[(?:\.\.\.)?(\w+)\]/g, "{$1}"));
  const documented = Object.keys(apiDocument().paths as object);
  expect(documented.sort()).toEqual(files.filter((path) => !UNDOCUMENTED.includes(path)).sort());
});

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

test("a method that a path does not have is refused in the format of the API, with those it has in Allow", async () => {
  for (const [path, file] of [...ROUTES, ["/openapi.json", openapi as Record<string, unknown>] as const]) {
    const own = METHODS.filter((method) => "spec" in Object(file[method]));
    const allow = METHODS.filter(
      (method) => own.includes(method) || method === "OPTIONS" || (method === "HEAD" && own.includes("GET")),
    ).join(", ");
    // Next answers HEAD itself where there is a GET.
    for (const method of METHODS.filter(
      (one) => !own.includes(one) && !(one === "HEAD" && own.includes("GET")),
    )) {
      const handler = file[method] as ((request: Request) => Promise<Response>) | undefined;
      const response = await handler?.(new Request(`http://localhost/api${path}`, { method }));
      expect([path, method, response?.status, response?.headers.get("allow")]).toEqual([
        path,
        method,
        method === "OPTIONS" ? 204 : 405,
        allow,
      ]);
      if (method === "OPTIONS") continue;
      expect(await response?.json()).toEqual({
        status: 405,
        code: "method_not_allowed",
        message: "This address does not accept this method.",
      });
    }
  }
});

test("every handler of a route file is made by route() and documented, or refuses its method", () => {
  const handlers = ROUTES.flatMap(([path, file]) =>
    Object.keys(file)
      .filter((name) => METHODS.includes(name) && "spec" in Object(file[name]))
      .map((name) => `${name.toLowerCase()} ${path}`),
  );
  const documented = apiRoutes().map(({ method, path }) => `${method} ${path}`);
  expect(documented).toEqual([...handlers, "get /openapi.json"]);
});

test("an unknown path is refused in the format of the API", async () => {
  const response = GET(new Request("http://localhost/api/none", { headers: { "accept-language": "ar" } }));
  expect(await response.json()).toMatchObject({
    status: 404,
    code: "not_found",
    message: expect.stringMatching(/[؀-ۿ]/),
  });
  expect(response.status).toBe(404);
});

test("every operation has a known tag, and an example of its body", () => {
  const incomplete = apiRoutes().filter(
    ({ spec }) => !(spec.tag in TAGS) || (spec.body !== undefined && spec.example === undefined),
  );
  expect(incomplete.map(({ method, path, spec }) => `${method} ${path} (${spec.tag})`)).toEqual([]);
});

test("an OpenAPI linter reports no problem", () => {
  const folder = testFolder("openapi");
  const file = join(folder, "openapi.json");
  writeFileSync(file, JSON.stringify(apiDocument()));
  const cli = join(projectRoot, "node_modules/@redocly/cli/bin/cli.js");
  const args = [cli, "lint", file, "--config", join(projectRoot, "redocly.yaml"), "--format=json"];
  const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const { stdout } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { ...process.env, ...quiet },
  });
  rmSync(folder, { recursive: true });
  const { problems } = JSON.parse(stdout) as {
    problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
  };
  const reported = problems.map((one) => `${one.ruleId}: ${one.message} (${one.location[0]?.pointer})`);
  expect(reported).toEqual([]);
});
