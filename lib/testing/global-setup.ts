import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { migrate } from "@/scripts/lib/migrate";
import { ensureDatabase, startPostgres } from "@/scripts/postgres/server";
import { temporaryDataDir } from "@/scripts/postgres/temporary";
import { dropDatabase, withDatabaseName } from "./database";

declare module "vitest" {
  interface ProvidedContext {
    /**
     * The test server: its URL as the owner and as the application's role, the name of the migrated template database,
     * and a folder for the tests' files.
     */
    testServer: { url: string; application: string; template: string; dataDir: string };
  }
}

/** The URL of the application's role on the server of TEST_DATABASE_URL. */
function applicationOn(server: string): string {
  const url = new URL(server);
  url.username = "wallet_test_app";
  url.password = "application-of-the-tests";
  return url.toString();
}

/** Starts one Postgres for the run, or uses TEST_DATABASE_URL, and creates a migrated template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = temporaryDataDir("test", { inMemory: true });
  const given = process.env.TEST_DATABASE_URL;
  const own = given ? undefined : await startPostgres({ dataDir, throwaway: true });
  const url = given ?? own?.ownerUrl("postgres") ?? "";
  const application = given ? applicationOn(given) : (own?.url("postgres") ?? "");
  const template = `wallet_template_${randomUUID().slice(0, 8)}`;
  await ensureDatabase(url, template);
  await migrate(withDatabaseName(url, template), { application });
  project.provide("testServer", { url, application, template, dataDir });
  return async () => {
    if (given) await dropDatabase(url, template);
    await own?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
