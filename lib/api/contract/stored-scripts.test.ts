import { expect, test } from "vitest";
import { exchange, OPERATIONS } from "@/lib/testing/contract/exchange";
import { PUBLIC_EXAMPLES } from "@/lib/testing/contract/public-examples";
import { STAFF_EXAMPLES } from "@/lib/testing/contract/staff-examples";
import { makeWorld } from "@/lib/testing/contract/world";
import { testDb } from "@/lib/testing/database";

const EXAMPLES = { ...PUBLIC_EXAMPLES, ...STAFF_EXAMPLES };
// It ends an attribute, a text and a script.
const MARK = `x"'></script><mark-of-a-stranger onx=1>`;

const world = await makeWorld(await testDb());
const withBody = OPERATIONS.filter(({ spec }) => spec.body).map((one) => [one.name, one] as const);

let taken = 0;
/** Fields that no example has, and that take any text. */
const FREE_TEXTS = ["sReason", "sSaleRef"];

// e2e/stored-scripts.spec.ts opens the pages that show such texts.
test.each(withBody)("%s answers markup in each of its texts as documented", async (name, operation) => {
  const example = async () => {
    const { as, status: _status, data: _data, ...call } = (await EXAMPLES[name]?.(world)) ?? {};
    return as ? { ...call, token: world.tokens[as] } : call;
  };
  const body = ((await example()).body ?? {}) as Record<string, unknown>;
  const texts = Object.keys(body).filter((field) => typeof body[field] === "string");
  const fields = [...new Set([...texts, ...FREE_TEXTS])].filter(
    (field) => field in (operation.spec.body ?? {}),
  );
  for (const field of fields) {
    const call = await example();
    const answer = await exchange(operation, { ...call, body: { ...(call.body as object), [field]: MARK } });
    expect([field, answer.status < 500, answer.violations]).toEqual([field, true, []]);
    if (answer.text) expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    if (answer.status < 300) taken += 1;
  }
});

test("some of them are kept, so that the answers above say something", () => {
  expect(taken).toBeGreaterThan(3);
});
