import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GET } from "@/app/api/[...unknown]/route";
import { apiDocument, apiRoutes } from "@/app/api/openapi.json/document";
import { ROUTES } from "@/app/api/openapi.json/routes";
import { TAGS } from "@/lib/http/openapi";
import { projectRoot } from "@/scripts/lib/project";

// next-auth answers the first itself, for the web panels only; the second is every path that is none.
const NOT_OURS = ["/auth/{nextauth}", "/{unknown}"];

test("every route file stands in the document, and nothing else does", () => {
  const files = globSync("app/api/**/route.ts", { cwd: projectRoot })
    .map((file) => file.slice("app/api".length, -"/route.ts".length))
    .map((path) => path.replaceAll(/\[(?:\.\.\.)?(\w+)\]/g, "{$1}"));
  const documented = Object.keys(apiDocument().paths as object);
  expect(documented.sort()).toEqual(files.filter((path) => !NOT_OURS.includes(path)).sort());
});

test("every handler of every route file is made by route(), so it is documented", () => {
  const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  const handlers = ROUTES.flatMap(([path, file]) =>
    Object.keys(file)
      .filter((name) => METHODS.includes(name))
      .map((name) => `${name.toLowerCase()} ${path}`),
  );
  const documented = apiRoutes().map(({ method, path }) => `${method} ${path}`);
  expect(documented).toEqual([...handlers, "get /openapi.json"]);
});

test("a path that is none is refused as everything else is", async () => {
  const response = GET(new Request("http://localhost/api/none", { headers: { "accept-language": "ar" } }));
  expect(await response.json()).toMatchObject({
    status: 404,
    code: "not_found",
    message: expect.stringMatching(/[؀-ۿ]/),
  });
  expect(response.status).toBe(404);
});

test("every operation has a known tag, and an example of its body", () => {
  const poor = apiRoutes().filter(
    ({ spec }) => !(spec.tag in TAGS) || (spec.body !== undefined && spec.example === undefined),
  );
  expect(poor.map(({ method, path, spec }) => `${method} ${path} (${spec.tag})`)).toEqual([]);
});

test("a linter of OpenAPI has nothing to say", () => {
  const folder = mkdtempSync(join(tmpdir(), "openapi-"));
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
  const said = problems.map((one) => `${one.ruleId}: ${one.message} (${one.location[0]?.pointer})`);
  expect(said).toEqual([]);
});
