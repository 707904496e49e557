import { expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { publicContext } from "@/lib/testing/factories";
import { logWalletMessages } from "./web-service";

const db = await testDb();

test("all devices together fill 64 kB of the log in a minute, also in parallel from many addresses", async () => {
  const logs = Array.from({ length: 10 }, () => "x".repeat(1000));
  const sends = Array.from({ length: 20 }, (_, n) =>
    logWalletMessages(publicContext(db, { address: `198.51.100.${n}` }), { logs }),
  );
  const settled = await Promise.allSettled(sends);
  const logged = settled.filter((one) => one.status === "fulfilled").length * 10;
  expect(logged).toBeGreaterThan(40);
  // 1,000 bytes and what a line has besides.
  expect(logged * 1_000).toBeLessThanOrEqual(64 * 1024);
  for (const refused of settled.filter((one) => one.status === "rejected"))
    expect(refused.reason).toMatchObject({ code: "rate_limited" });
});
