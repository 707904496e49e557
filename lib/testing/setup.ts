import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { inject } from "vitest";
import { withDatabaseName } from "./database";

// Runs before any module of the program is loaded. Each test file has its own settings and database name.
const { application, dataDir } = inject("testServer");
const name = `wallet_test_${randomUUID().replaceAll("-", "").slice(0, 16)}`;

Object.assign(process.env, {
  APP_ENV: "test",
  APP_URL: "http://localhost:3000",
  AUTH_SECRET: "a secret for tests only, and long enough",
  DATABASE_URL: withDatabaseName(application, name),
  DATA_DIR: join(dataDir, name),
  WORKER: "off",
});
