import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answerBy } from "@/lib/api/answer";
import { matcherOf } from "@/lib/api/match";
import { TAGS } from "@/lib/api/openapi";
import { API_CALLS, apiDocument, describedApi } from "@/lib/api/table";
import { testFolder } from "@/lib/testing/folder";
import { projectRoot } from "@/scripts/lib/command";
import { NEXT_AUTH_PATHS } from "../answer";

const answer = answerBy(API_CALLS);
const described = await describedApi();
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

test("the document has every call of the table, each once", async () => {
  const paths = (await apiDocument()).paths as Record<string, object>;
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  const calls = API_CALLS.map(({ method, path }) => `${method.toLowerCase()} /${path.replace("...", "")}`);
  expect(documented.sort()).toEqual(calls.sort());
});

test("the addresses of next-auth are no calls of the table", () => {
  const find = matcherOf(API_CALLS);
  for (const path of Object.keys(NEXT_AUTH_PATHS)) expect(find(path.split("/"))).toBeUndefined();
});

test("a method that a path does not have is refused in the format of the API, with those it has in Allow", async () => {
  const paths = Map.groupBy(API_CALLS, ({ path }) => path);
  for (const [path, calls] of paths) {
    const own = calls.map(({ method }) => method);
    const isAnswered = (method: string) => own.includes(method) || (method === "HEAD" && own.includes("GET"));
    const allow = METHODS.filter((method) => isAnswered(method) || method === "OPTIONS").join(", ");
    const url = `http://localhost/api/${path.replaceAll(/\{[^}]*\}/g, "x")}`;
    for (const method of METHODS.filter((one) => !isAnswered(one))) {
      const response = await answer(new Request(url, { method }));
      expect([path, method, response.status, response.headers.get("allow")]).toEqual([
        path,
        method,
        method === "OPTIONS" ? 204 : 405,
        allow,
      ]);
      if (method === "OPTIONS") continue;
      expect(await response.json()).toEqual({
        status: 405,
        code: "method_not_allowed",
        message: "This address does not accept this method.",
      });
    }
  }
});

test("an unknown path is refused in the format of the API", async () => {
  const headers = { "accept-language": "ar" };
  const response = await answer(new Request("http://localhost/api/none", { headers }));
  expect(await response.json()).toMatchObject({
    status: 404,
    code: "not_found",
    message: expect.stringMatching(/[\u0600-\u06ff]/),
  });
  expect(response.status).toBe(404);
});

test("every operation has a known tag, and an example of its body", () => {
  const incomplete = described.filter(
    ({ spec }) => !(spec.tag in TAGS) || (spec.body !== undefined && spec.example === undefined),
  );
  expect(incomplete.map(({ method, path, spec }) => `${method} ${path} (${spec.tag})`)).toEqual([]);
});

test("a body whose fields may all be left out may be left out itself, and no other", async () => {
  const { paths } = await apiDocument();
  const required = (path: string, method: "post" | "put") => {
    const body = paths?.[path]?.[method]?.requestBody;
    return body && "required" in body && body.required;
  };
  const posted = ["capture", "void", "extend", "release"].map((call) =>
    required(`/holds/{id}/${call}`, "post"),
  );
  expect(posted).toEqual([false, false, true, true]);
  expect(required("/api-keys/{id}", "put")).toBe(false);
  // Each field may be left out, and not all of them.
  expect(["/reversals", "/customers/find"].map((path) => required(path, "post"))).toEqual([true, true]);
});

test("only calls that an API key may make document what only keys are answered", async () => {
  const { paths } = await apiDocument();
  const told = described
    .filter(({ path, method }) => JSON.stringify(paths?.[path]?.[method]?.responses).includes("in_progress"))
    .map(({ spec }) => spec.keyScope);
  expect(told).toContain("redeem");
  expect(told).not.toContain(null);
});

test("an OpenAPI linter reports no problem", async () => {
  const folder = testFolder("openapi");
  const file = join(folder, "openapi.json");
  writeFileSync(file, JSON.stringify(await apiDocument()));
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

test("the events document the Link to their next page, as other lists do", async () => {
  const { paths } = await apiDocument();
  for (const path of ["/transactions", "/events"]) {
    const answer = paths?.[path]?.get?.responses?.["200"];
    expect([path, answer && "headers" in answer && Object.keys(answer.headers ?? {})]).toEqual([
      path,
      expect.arrayContaining(["Link"]),
    ]);
  }
});
