import { afterAll, expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { s3Server } from "@/lib/testing/s3-server";
import { uploadJourney } from "@/lib/testing/upload-journey";
import { storage } from "./storage";

const server = await s3Server();
afterAll(() => server.close());
// Set before the settings are read for the first time.
Object.assign(process.env, server.settings);
const db = await testDb();

async function put(url: string, contentType: string, bytes: Buffer): Promise<number> {
  const init = { method: "PUT", headers: { "content-type": contentType }, body: new Uint8Array(bytes) };
  return (await fetch(url, init)).status;
}

test("the environment selects S3", () => {
  expect(storage().name).toBe("s3");
});

uploadJourney(db, put);
