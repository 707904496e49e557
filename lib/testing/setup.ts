import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { inject } from "vitest";
import { atDatabase } from "./database";

// Before any module of the program is read: each file of tests has settings and a database name of its own.
const { application, dataDir } = inject("testServer");
const name = `wallet_test_${randomUUID().replaceAll("-", "").slice(0, 16)}`;

Object.assign(process.env, {
  APP_ENV: "test",
  APP_URL: "http://localhost:3000",
  AUTH_SECRET: "a secret for tests only, and long enough",
  DATABASE_URL: atDatabase(application, name),
  DATA_DIR: join(dataDir, name),
  WORKER: "off",
});
