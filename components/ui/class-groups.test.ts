import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { twMerge } from "tailwind-merge";
import { expect, test } from "vitest";
import { mergeClasses } from "./class-groups";

/** Every word of a string in our components that tailwind-merge knows as a utility. */
function utilitiesOfTree(): string[] {
  const files = execFileSync(
    "git",
    ["ls-files", "-co", "--exclude-standard", "app/*.tsx", "components/*.ts*"],
    {
      encoding: "utf8",
    },
  );
  const words = new Set<string>();
  for (const file of files.trim().split("\n")) {
    if (/class-groups|\.test\./.test(file)) continue;
    for (const [, ...texts] of readFileSync(file, "utf8").matchAll(/"([^"\n]*)"|`([^`]*)`/g)) {
      for (const text of texts) for (const word of text?.split(/\s+/) ?? []) words.add(word);
    }
  }
  return [...words].filter((word) => word !== "" && twMerge(`${word} x ${word}`) === `x ${word}`);
}

const utilities = utilitiesOfTree();
const both = (first: string, second: string, merge: (classes: string) => string) =>
  merge(`${first} ${second}`);

test("every utility that the tree uses overrides the same others as by tailwind-merge", () => {
  expect(utilities.length).toBeGreaterThan(800);
  // One of each group of tailwind-merge stands for it.
  const kinds: string[] = [];
  const different: string[] = [];
  const compare = (first: string, second: string) => {
    const [ours, theirs] = [both(first, second, mergeClasses), both(first, second, twMerge)];
    if (ours !== theirs) different.push(`${first} ${second}: "${ours}" instead of "${theirs}"`);
  };
  for (const utility of utilities) {
    const same = kinds.find(
      (kind) => both(utility, kind, twMerge) === kind && both(kind, utility, twMerge) === utility,
    );
    if (same === undefined) kinds.push(utility);
    else {
      compare(utility, same);
      compare(same, utility);
    }
  }
  for (const one of kinds) for (const other of kinds) compare(one, other);
  expect(different).toEqual([]);
});

test("the last of a property stays where it stands, with the classes that are no utilities", () => {
  expect(mergeClasses("  btn h-8 px-3 hover:h-9  h-10\n list -mt-2 mt-1 ")).toBe(
    "btn px-3 hover:h-9 h-10 list mt-1",
  );
  expect(
    mergeClasses("ps-2 px-4 [&_svg:not([class*='size-'])]:size-4 [&_svg:not([class*='size-'])]:size-5"),
  ).toBe("px-4 [&_svg:not([class*='size-'])]:size-5");
});
