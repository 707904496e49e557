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
/** Without what stands before the last colon outside brackets. */
const bare = (utility: string) => utility.replace(/^.*:(?![^[]*\]|[^(]*\))/, "");

type Pair = readonly [first: string, second: string];
const differences = (pairs: readonly Pair[]) =>
  pairs.flatMap(([first, second]) => {
    const both = `${first} ${second}`;
    const [ours, theirs] = [mergeClasses(both), twMerge(both)];
    return ours === theirs ? [] : [`${both}: "${ours}" instead of "${theirs}"`];
  });

test("every utility that the tree uses overrides the same others as by tailwind-merge", () => {
  const all = [...new Set(utilities.map(bare))];
  expect(all.length).toBeGreaterThan(500);
  // One of each group of tailwind-merge stands for it.
  const kinds: string[] = [];
  const pairs: Pair[] = [];
  for (const utility of all) {
    const isSame = (kind: string) =>
      twMerge(`${utility} ${kind}`) === kind && twMerge(`${kind} ${utility}`) === utility;
    const same = kinds.find(isSame);
    if (same === undefined) kinds.push(utility);
    else pairs.push([utility, same], [same, utility]);
  }
  for (const one of kinds) for (const other of kinds) pairs.push([one, other]);
  expect(differences(pairs)).toEqual([]);
});

test("modifiers of every utility that the tree uses are told apart", () => {
  const modified = utilities.filter((utility) => utility !== bare(utility));
  expect(modified.length).toBeGreaterThan(150);
  const pairs = modified.flatMap((utility): Pair[] => [
    [utility, utility],
    [utility, bare(utility)],
    [bare(utility), utility],
  ]);
  expect(differences(pairs)).toEqual([]);
});

test("the last of a property stays where it stands, with the classes that are no utilities", () => {
  expect(mergeClasses("  btn h-8 px-3 hover:h-9  h-10\n list -mt-2 mt-1 ")).toBe(
    "btn px-3 hover:h-9 h-10 list mt-1",
  );
  expect(
    mergeClasses("ps-2 px-4 [&_svg:not([class*='size-'])]:size-4 [&_svg:not([class*='size-'])]:size-5"),
  ).toBe("px-4 [&_svg:not([class*='size-'])]:size-5");
});
