import { expect, test } from "vitest";
import { forbiddenImports, physicalSides } from "./layers";

test.each([
  ["components/card/card.tsx", 'import { getDb } from "@/lib/db/client";'],
  ["components/card/card.tsx", 'import {\n  topUp,\n} from "../../lib/ledger/top-up";'],
  ["app/login/page.tsx", 'import type { Db } from "@/lib/db/client";'],
  ["app/login/page.tsx", 'const db = await import("@/lib/db/client");'],
  ["app/login/page.tsx", 'import { makeMerchant } from "@/lib/testing/factories";'],
  ["lib/customers/register.ts", 'import { addBranch } from "../branches/add-branch";'],
  ["lib/customers/register.ts", 'export { route } from "@/lib/http/route";'],
  ["lib/domain/money.ts", 'import { readFileSync } from "node:fs";'],
  ["lib/domain/money.ts", 'import { env } from "../env";'],
  ["lib/env/index.ts", 'import "server-only";'],
  ["middleware.ts", 'import { auth } from "@/lib/accounts/auth";'],
  ["lib/http/route.ts", 'import { topUp } from "@/lib/ledger/top-up";'],
])("%s may not say %s", (path, source) => {
  expect(forbiddenImports(path, source)).toHaveLength(1);
});

test.each([
  [
    "app/login/page.tsx",
    'import { signIn } from "@/lib/accounts/sign-in";\nimport { Card } from "@/components/ui/card";',
  ],
  [
    "lib/customers/register.ts",
    'import { topUp } from "@/lib/ledger/top-up";\nimport { env } from "@/lib/env";',
  ],
  ["lib/domain/money.ts", 'import { z } from "zod";\nimport { digits } from "./points";'],
  [
    "middleware.ts",
    'import { config } from "./lib/accounts/auth.config";\nimport NextAuth from "next-auth";',
  ],
  ["lib/ledger/top-up.test.ts", 'import { testDb } from "@/lib/testing/database";'],
  ["components/card/card.tsx", 'import { cn } from "../ui/utils";\nimport "./card.css";'],
])("%s may say %s", (path, source) => {
  expect(forbiddenImports(path, source)).toEqual([]);
});

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
