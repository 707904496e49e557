import { expect, test } from "vitest";
import { physicalSides } from "./physical-sides";

test.each([
  "ml-2",
  "md:pr-4",
  "-left-1",
  "right-[3px]",
  "hover:text-left",
  "rounded-l-md",
  "border-r",
  "sm:data-[a=b]:mr-auto",
])("%s is refused", (name) => {
  expect(physicalSides("app/page.tsx", `<p className="flex ${name}">`)).toHaveLength(1);
});

test("logical sides, words and reasons pass", () => {
  const source = [
    '<p className="ms-2 pe-4 start-0 text-start rounded-s-md border-e place-left">right-hand side</p>',
    '<p className="left-1/2" /> // physical-side: centred, the same both ways',
    'const side = "left";',
  ].join("\n");
  expect(physicalSides("app/page.tsx", source)).toEqual([]);
});
