import { describe, expect, it } from "vitest";
import { claimAutoReload, countReload } from "./reloads";

function store() {
  const held = new Map<string, string>();
  return {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
  };
}

describe("the automatic reload", () => {
  it("happens once an error", () => {
    const held = store();
    expect(claimAutoReload(held, "digest-1")).toBe(true);
    expect(claimAutoReload(held, "digest-1")).toBe(false);
    expect(claimAutoReload(held, "digest-2")).toBe(true);
  });
  it("does not happen where nothing can be remembered", () => {
    expect(claimAutoReload({ getItem: () => null, setItem: () => {} }, "e")).toBe(false);
  });
});

describe("Try Again", () => {
  it("is refused after more than five in a row", () => {
    const held = store();
    const answers = Array.from({ length: 6 }, (_, index) => countReload(held, 1_000_000 + index * 1000));
    expect(answers).toEqual([true, true, true, true, true, false]);
  });
  it("starts anew after ten quiet minutes", () => {
    const held = store();
    for (let index = 0; index < 5; index++) countReload(held, 1_000_000);
    expect(countReload(held, 1_000_000 + 11 * 60_000)).toBe(true);
  });
});
