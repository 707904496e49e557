import { expect, test } from "vitest";
import { readTogether } from "./session-memory";

/** Reads that answer when the test says so. */
function heldReads() {
  const asked: { keys: string[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const read = readTogether<string>(
    (keys) =>
      new Promise((resolve, reject) => {
        const answer = () =>
          resolve(new Map(keys.filter((key) => key !== "none").map((key) => [key, `row ${key}`])));
        asked.push({ keys, answer, fail: reject });
      }),
  );
  return { asked, read };
}

test("keys that are asked for while reads are in flight share the next read, each once", async () => {
  const { asked, read } = heldReads();
  const first = [read("a"), read("b")];
  const later = ["c", "d", "c", "a", "none"].map((key) => read(key));
  expect(asked.map(({ keys }) => keys)).toEqual([["a"], ["b"]]);
  asked[0]?.answer();
  expect(await first[0]).toBe("row a");
  // "a" is read again: its first answer may be older than the second question.
  await expect.poll(() => asked[2]?.keys).toEqual(["c", "d", "a", "none"]);
  asked[2]?.answer();
  expect(await Promise.all(later)).toEqual(["row c", "row d", "row c", "row a", undefined]);
  asked[1]?.answer();
  expect(await first[1]).toBe("row b");
});

test("a read that fails fails those who share it, and the next one works", async () => {
  const { asked, read } = heldReads();
  const failing = [read("a"), read("b")].map((one) => one.catch((error: Error) => error.message));
  const next = read("c");
  asked[0]?.fail(new Error("away"));
  asked[1]?.fail(new Error("away too"));
  expect(await Promise.all(failing)).toEqual(["away", "away too"]);
  await expect.poll(() => asked[2]?.keys).toEqual(["c"]);
  asked[2]?.answer();
  expect(await next).toBe("row c");
});

test("at most 200 keys share a read", async () => {
  const { asked, read } = heldReads();
  const answers = [read("a"), read("b"), ...Array.from({ length: 250 }, (_, nth) => read(`key ${nth}`))];
  asked[0]?.answer();
  asked[1]?.answer();
  await expect.poll(() => asked.map(({ keys }) => keys.length)).toEqual([1, 1, 200, 50]);
  asked[2]?.answer();
  asked[3]?.answer();
  expect((await Promise.all(answers)).at(-1)).toBe("row key 249");
});
