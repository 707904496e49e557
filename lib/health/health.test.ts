import { afterEach, expect, test, vi } from "vitest";
import { getDb } from "@/lib/db/client";
import { testDb } from "@/lib/testing/database";
import { publicContext } from "@/lib/testing/factories";
import { readiness } from "./health";

const db = await testDb();
const ready = () => readiness(publicContext(db), {});
afterEach(() => void vi.unstubAllEnvs());

test("readiness requires the newest migration of the build, and no failed one", async () => {
  await expect(ready()).resolves.toMatchObject({ ready: true });
  vi.stubEnv("NEWEST_MIGRATION", "20261121000100_ledger");
  await expect(ready()).resolves.toMatchObject({ ready: true });
  vi.stubEnv("NEWEST_MIGRATION", "20991231235959_of_a_newer_build");
  await expect(ready()).rejects.toMatchObject({ code: "unavailable" });
});

test("readiness reports whether the program's role differs from the ledger's owner", async () => {
  await expect(readiness(publicContext(getDb()), {})).resolves.toEqual({ ready: true, apart: true });
  // The owner's connection, as in an installation with one URL.
  await expect(ready()).resolves.toEqual({ ready: true, apart: false });
});
