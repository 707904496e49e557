import { expect, test } from "vitest";
import { config, z } from "zod";

test("zod finds the setting that forbids it eval, whichever of the two loads first", async () => {
  expect(config().jitless).not.toBe(true);
  await import("./zod-without-eval");
  expect(config().jitless).toBe(true);
  expect(z.object({ a: z.string() }).parse({ a: "b" })).toEqual({ a: "b" });
});
