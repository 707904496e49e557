import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { findProxy } from "@/scripts/lib/tools";
import { composeFile, environmentOf } from "./served";

const given = {
  APP_URL: "https://wallet.example.com",
  AUTH_SECRET: "x",
  POSTGRES_PASSWORD: "x",
  APPLICATION_PASSWORD: "x",
  S3_SECRET_ACCESS_KEY: "x",
};
const portsOf = (settings: Record<string, string>) =>
  Object.values(composeFile(settings).services).flatMap(({ ports = [] }) => ports);

test("compose publishes every port on this machine alone, unless it is told otherwise", () => {
  const ports = portsOf(given);
  expect(ports).toContain("127.0.0.1:3000:3000");
  expect(ports.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([]);
  expect(portsOf({ ...given, PUBLISH_ON: "10.0.0.5" })).toContain("10.0.0.5:3000:3000");
  expect(composeFile(given).services.app?.environment?.TRUSTED_PROXIES).toBe(1);
});

const HA = "docker-compose.ha.yml";
const pair = () => composeFile({ ...given, AUTH_SECRET: `${"kX9".repeat(5)}vLq0_Zr7-mWd2-tYb4-uHs6` }, HA);
/** A config as its container gets it. */
const contentOf = (name: string) => (pair().configs?.[name]?.content ?? "").replaceAll("$$", "$");

test("the pair of databases names only services and configs that it has, and publishes on this machine alone", () => {
  const { services, configs = {} } = pair();
  for (const { depends_on: needs = [], configs: given = [], ports = [] } of Object.values(services)) {
    for (const name of Array.isArray(needs) ? needs : Object.keys(needs))
      expect(services).toHaveProperty(name);
    for (const { source } of given) expect(configs).toHaveProperty(source);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  }
  expect(environmentOf(services["app-one"], {})).toEqual(environmentOf(services["app-two"], {}));
});

test("its servers start with their settings, and read from the standby", async () => {
  for (const [name, value] of Object.entries(environmentOf(pair().services["app-one"], {})))
    vi.stubEnv(name, value);
  vi.resetModules();
  const { env } = await import("@/lib/env");
  expect(env()).toMatchObject({ APP_ENV: "production", TRUSTED_PROXIES: 2 });
  expect(new URL(env().DATABASE_URL).host).toBe("proxy:5432");
  expect(new URL(env().DATABASE_READ_URL ?? "").host).toBe("proxy:5433");
});

test.runIf(findProxy("haproxy"))(
  "its HAProxy accepts the configuration, and bash the script of the standby",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "wallet-compose-"));
    try {
      const [proxy, standby] = [join(folder, "haproxy.cfg"), join(folder, "standby.sh")];
      // Outside of compose its hosts have no address.
      writeFileSync(
        proxy,
        contentOf("haproxy").replaceAll(/\b(database|check|app)-(one|two)\b/g, "127.0.0.1"),
      );
      execFileSync(findProxy("haproxy") ?? "", ["-c", "-f", proxy], { stdio: "pipe" });
      writeFileSync(standby, contentOf("standby"));
      execFileSync("bash", ["-n", standby], { stdio: "pipe" });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
