import { createHash, randomInt, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { NextRequest } from "next/server";
import { expect, test, vi } from "vitest";
import { testDb } from "@/lib/testing/database";
import { handlerOf } from "@/lib/testing/handlers";
import middleware from "@/middleware";
import { PEER_HEADER } from "./address";
import { registerCallerLookup } from "./caller-lookup";
import { STYLE_HASHES, uploadOrigins } from "./content-policy";
import { countRequest } from "./limits";

const reportCsp = handlerOf("POST", "csp-report");

const require = createRequire(import.meta.url);
await testDb();
registerCallerLookup();

const newAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
type Sent = { cookie?: string; method?: string; headers?: Record<string, string> };

function open(address: string, path = "/privacy", { cookie, method = "GET", headers = {} }: Sent = {}) {
  const all = { [PEER_HEADER]: address, ...(cookie ? { cookie } : {}), ...headers };
  return middleware(new NextRequest(`http://localhost:3000${path}`, { method, headers: all }));
}

/** Uses up what strangers of an address may open in a minute, but for `left` pages. */
async function usePages(key: string, left = 0): Promise<void> {
  for (let n = 1200; n > left; n -= 1) await countRequest("page", key);
}

test("every answer has a policy: pages, files, redirects, refusals", async () => {
  const directives = (response: Response) => response.headers.get("content-security-policy") ?? "";
  const address = newAddress();
  for (const path of ["/privacy", "/login", "/a.js", "/a.png"]) {
    const response = await open(address, path);
    const script = /script-src ([^;]*)/.exec(directives(response))?.[1] ?? "";
    expect(script).toMatch(/'nonce-[\w-]{22}'/);
    expect(script).not.toMatch(/unsafe-inline|\*/);
    const style = /style-src ([^;]*)/.exec(directives(response))?.[1] ?? "";
    expect(style).toMatch(/'nonce-[\w-]{22}'/);
    expect(style).not.toMatch(/unsafe-inline|\*/);
    expect(directives(response)).toContain("report-uri /api/csp-report");
    // The page's renderer reads the nonce from the request.
    expect(response.headers.get("x-middleware-request-x-nonce")).toBeTruthy();
  }
  const nonces = await Promise.all([1, 2].map(async () => directives(await open(address))));
  expect(nonces[0]).not.toBe(nonces[1]);
  const redirect = await open(address, "/nowhere");
  expect([redirect.status, directives(redirect)]).toEqual([
    307,
    expect.stringContaining("default-src 'none'"),
  ]);
  await usePages(address).catch(() => undefined);
  for (const sent of [{}, { method: "POST" }, { headers: { rsc: "1" } }]) {
    const refused = await open(address, "/privacy", sent);
    expect([refused.status, directives(refused)]).toEqual([
      429,
      expect.stringContaining("default-src 'none'"),
    ]);
  }
});

test.each([
  [{}, []],
  [{ S3_BUCKET: "wallet", S3_REGION: "me-central-1" }, ["https://wallet.s3.me-central-1.amazonaws.com"]],
  [{ S3_BUCKET: "a.b", S3_REGION: "eu-west-1" }, ["https://s3.eu-west-1.amazonaws.com"]],
  [
    { S3_BUCKET: "wallet", S3_ENDPOINT: "https://store.example:9000/x" },
    ["https://wallet.store.example:9000"],
  ],
  [
    { S3_BUCKET: "wallet", S3_ENDPOINT: "http://store.localhost:9000", S3_FORCE_PATH_STYLE: "true" },
    ["http://store.localhost:9000"],
  ],
])("uploads go to one exact host: %j", (settings, origins) => {
  expect(uploadOrigins(settings)).toEqual(origins);
});

test("a violation is logged without personal data; anything but a small report is refused", async () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((line) => lines.push(String(line)) > 0);
  const report = (body: string) =>
    reportCsp(
      new Request("http://localhost:3000/api/csp-report", {
        method: "POST",
        headers: { "content-type": "application/csp-report", [PEER_HEADER]: newAddress() },
        body,
      }),
      { params: {} },
    );
  const id = randomUUID();
  const good = await report(
    JSON.stringify({
      "csp-report": {
        "effective-directive": "script-src-elem",
        "blocked-uri": "https://evil.example/x.js?who=layla@customer.test",
        "document-uri": `https://wallet.example/customer/loyalty-card/${id}?code=048213`,
        "source-file": "inline",
        "line-number": 3,
        "script-sample": "alert('layla@customer.test')",
      },
    }),
  );
  const bad = [await report("no"), await report("{}"), await report(`{"a":"${"x".repeat(10_000)}"}`)];
  write.mockRestore();
  expect(good.status).toBe(204);
  expect(bad.map(({ status }) => status)).toEqual([400, 400, 413]);
  expect(lines.filter((line) => line.includes("csp_violation"))).toEqual([
    expect.stringContaining(
      "directive=script-src-elem blocked=https://evil.example/x.js page=https://wallet.example/customer/loyalty-card/… source=inline line=3",
    ),
  ]);
  expect(lines.join("")).not.toMatch(/layla|048213/);
});

test("the hashes of the styles that libraries add are those of the installed versions", () => {
  const inPackage = (path: string) => readFileSync(require.resolve(path), "utf8");
  const hashOf = (text: string) => `sha256-${createHash("sha256").update(text).digest("base64")}`;
  const [, sonner = ""] = /__insertCSS\(("(?:[^"\\]|\\.)*")\)/.exec(inPackage("sonner")) ?? [];
  const radix = inPackage("@radix-ui/react-select");
  const [, select = ""] = /`(\[data-radix-select-viewport\][^`]*)`/.exec(radix) ?? [];
  expect(STYLE_HASHES).toEqual({
    empty: hashOf(""),
    sonner: hashOf(JSON.parse(sonner)),
    radixSelect: hashOf(select),
  });
});
