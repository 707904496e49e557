import { describe, expect, it } from "vitest";
import { claimAutoReload, countReload } from "./reloads";

function fakeStorage() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  };
}

describe("the automatic reload", () => {
  it("happens once per error", () => {
    const storage = fakeStorage();
    expect(claimAutoReload(storage, "digest-1")).toBe(true);
    expect(claimAutoReload(storage, "digest-1")).toBe(false);
    expect(claimAutoReload(storage, "digest-2")).toBe(true);
  });
  it("does not happen without storage", () => {
    expect(claimAutoReload({ getItem: () => null, setItem: () => {} }, "e")).toBe(false);
  });
});

describe("Try Again", () => {
  it("is refused after more than five tries in a row", () => {
    const storage = fakeStorage();
    const answers = Array.from({ length: 6 }, (_, index) => countReload(storage, 1_000_000 + index * 1000));
    expect(answers).toEqual([true, true, true, true, true, false]);
  });
  it("starts counting again after ten minutes", () => {
    const storage = fakeStorage();
    for (let index = 0; index < 5; index++) countReload(storage, 1_000_000);
    expect(countReload(storage, 1_000_000 + 11 * 60_000)).toBe(true);
  });
});
