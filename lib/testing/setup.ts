import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { inject, vi } from "vitest";
import { withDatabaseName } from "./database";

// Runs before each test file. A process runs many files: packages stay loaded, because loading them takes most of the
// time, but the program itself is loaded again, with new globals and new settings.
const kept = globalThis as typeof globalThis & { settingsBefore?: NodeJS.ProcessEnv };
kept.settingsBefore ??= { ...process.env };
vi.resetModules();
vi.useRealTimers();
vi.unstubAllEnvs();
vi.unstubAllGlobals();
for (const name of Object.keys(globalThis)) {
  if (name.startsWith("wallet")) Reflect.deleteProperty(globalThis, name);
}
for (const name of Object.keys(process.env)) {
  if (!(name in kept.settingsBefore)) delete process.env[name];
}

// Each test file has its own settings and database name.
const { application, dataDir } = inject("testServer");
const database = `wallet_test_${randomUUID().replaceAll("-", "").slice(0, 16)}`;

Object.assign(process.env, kept.settingsBefore, {
  APP_ENV: "test",
  APP_URL: "http://localhost:3000",
  AUTH_SECRET: "a secret for tests only, and long enough",
  DATABASE_URL: withDatabaseName(application, database),
  DATABASE_STATEMENTS: "named",
  DATA_DIR: join(dataDir, database),
  WORKER: "off",
});
