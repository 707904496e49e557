import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { apiDocument } from "@/lib/api/table";
import { type Permission, scopeOf } from "@/lib/domain/policy";
import { tokenOf } from "@/lib/testing/calls";
import { type Call, type DocumentedCall, exchange, OPERATIONS } from "@/lib/testing/contract/exchange";
import { bodyOf, hostileText, hostileValues } from "@/lib/testing/contract/hostile";
import { ACTORS, makeWorld, type WorldActor } from "@/lib/testing/contract/world";
import { testDb } from "@/lib/testing/database";

// `npm run test:fuzz` is the long form.
const [runs, seconds] = process.env.LONG ? [20_000, 600] : [2_000, 45];
const RUNS = Number(process.env.FUZZ_RUNS ?? runs);
const SECONDS = Number(process.env.FUZZ_SECONDS ?? seconds);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);

// The log of Apple's devices writes warnings.
vi.stubEnv("LOG_LEVEL", "error");
const db = await testDb();
const world = await makeWorld(db);
const { shop, neighbour, users } = world;
const [card, other, movement, branch, worker] = [
  await world.customer(1_000),
  await world.customer(0),
  await world.movement(),
  await world.branch(),
  await world.worker(),
];
const WORDS = [
  ...[card, other, movement, branch, worker, shop.merchant, shop.branch, neighbour.merchant].map(
    (one) => one.id,
  ),
  card.publicId,
  card.email ?? "",
  users.owner.email,
  users.worker.email,
  worker.email,
];

type Parameter = { name: string; in: string; schema: object };
type Described = {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: object }> };
};
const paths = (await apiDocument()).paths as Record<string, Record<string, Described>>;

const asText = (value: unknown) =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).toWellFormed();
const headerText = hostileText.map((text) => text.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 300));

function callOf(operation: DocumentedCall): fc.Arbitrary<Call> {
  const { parameters = [], requestBody } = paths[operation.path]?.[operation.method] ?? {};
  const named = (place: string, keys: "all" | "some") => {
    const shape = parameters
      .filter((one) => one.in === place)
      .map(({ name, schema }) => [name, hostileValues(schema, WORDS).map(asText)]);
    const record = Object.fromEntries(shape) as Record<string, fc.Arbitrary<string>>;
    return keys === "all" ? fc.record(record) : fc.record(record, { requiredKeys: [] });
  };
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
  const { permission } = operation.spec;
  const isAllowed = (who: WorldActor) =>
    permission === "public" || scopeOf(users[who].role, permission as Permission) !== null;
  const tokens = (all: readonly WorldActor[]) => fc.constantFrom(...all.map((who) => `${ACTOR}${who}`));
  return fc
    .record(
      {
        token: fc.oneof(
          { weight: 14, arbitrary: tokens(ACTORS.filter((who) => who !== "pending" && isAllowed(who))) },
          { weight: 1, arbitrary: tokens(ACTORS) },
          { weight: 1, arbitrary: headerText },
        ),
        params: named("path", "all"),
        query: named("query", "some"),
        headers: fc.record(
          {
            "idempotency-key": headerText,
            "accept-language": headerText,
            cookie: headerText,
            "if-modified-since": headerText,
          },
          { requiredKeys: [] },
        ),
        content: schema ? bodyOf(schema, WORDS) : fc.constant({}),
      },
      { requiredKeys: permission === "public" ? ["params", "content"] : ["token", "params", "content"] },
    )
    .map(({ content, params, ...call }) => {
      const { key, ...others } = params as Record<string, string>;
      const parts: Call["params"] = key === undefined ? others : { ...others, key: key.split("/") };
      return { ...call, ...content, params: parts } as Call;
    });
}

/** Stands for the token of an actor, who may have a new session by the time of the call. */
const ACTOR = "actor:";
const tokenFor = (token: string | undefined) =>
  token?.startsWith(ACTOR) ? world.tokens[token.slice(ACTOR.length) as WorldActor] : token;

/** Restores the sessions, accounts and approvals that a request may have ended, so that later requests can succeed. */
async function restore(): Promise<void> {
  const ids = Object.values(users).map(({ id }) => id);
  await db.user.updateMany({ where: { id: { in: ids } }, data: { status: "active" } });
  // An ended session does not come back: whoever lost theirs signs in again.
  const live = await db.session.findMany({
    where: { userId: { in: ids }, revokedAt: null },
    select: { userId: true },
  });
  for (const who of ACTORS) {
    if (!live.some(({ userId }) => userId === users[who].id))
      world.tokens[who] = await tokenOf(db, users[who]);
  }
  const approved = [shop.merchant.id, neighbour.merchant.id];
  await db.merchant.updateMany({ where: { id: { in: approved } }, data: { status: "approved" } });
  await db.customer.updateMany({ where: { id: card.id }, data: { status: "active" } });
  // With a new name, since another branch may have taken the archived branch's name.
  await db.branch.updateMany({
    where: { id: shop.branch.id, archivedAt: { not: null } },
    data: { archivedAt: null, name: `Reopened ${randomUUID()}` },
  });
}

// Made once: building one from its schemas takes as long as a request.
const CALLS = OPERATIONS.map((operation) =>
  fc.record({ operation: fc.constant(operation), call: callOf(operation) }),
);

test(
  "no request is answered with a 500 or in an undocumented way",
  async () => {
    const seen = new Map<number, number>();
    let requests = 0;
    const property = fc.asyncProperty(fc.oneof(...CALLS), async ({ operation, call }) => {
      requests += 1;
      if (requests % 50 === 0) await restore();
      const { status, violations } = await exchange(operation, { ...call, token: tokenFor(call.token) });
      seen.set(status, (seen.get(status) ?? 0) + 1);
      if (violations.length > 0 || status >= 500) {
        throw new Error(`${operation.name}: ${[status, ...violations].join(" ")}`);
      }
    });
    const found = await fc.check(property, {
      seed: SEED,
      numRuns: RUNS,
      interruptAfterTimeLimit: SECONDS * 1000,
      endOnFailure: true,
    });
    const problem = found.errorInstance instanceof Error ? found.errorInstance.message : null;
    const { operation, call } = found.counterexample?.[0] ?? {};
    expect({ problem, call: operation && { name: operation.name, ...call } }).toEqual({ problem: null });
    console.log(
      `${requests} requests: ${[...seen]
        .sort()
        .map(([status, count]) => `${status} × ${count}`)
        .join(", ")}`,
    );
    // Some requests succeed, and the balances match the movements.
    expect(seen.get(200)).toBeGreaterThan(requests / 20);
    const wrong = await db.$queryRaw`
    select id from customers c
    where balance <> coalesce((select sum(points) from movements m where m.customer_id = c.id), 0)`;
    expect(wrong).toEqual([]);
  },
  (SECONDS + 60) * 1000,
);
