import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { countRequest } from "@/lib/api/limits";
import { isOwnAccount } from "@/lib/domain/actor";
import { type Permission, scopeOf } from "@/lib/domain/policy";
import { hashSecret } from "@/lib/secrets/secrets";
import { tokenOf } from "@/lib/testing/calls";
import {
  type CheckedAnswer,
  type DocumentedCall,
  exchange,
  OPERATIONS,
} from "@/lib/testing/contract/exchange";
import { CRON_SECRET, PUBLIC_EXAMPLES } from "@/lib/testing/contract/public-examples";
import { STAFF_EXAMPLES } from "@/lib/testing/contract/staff-examples";
import { ACTORS, type Example, makeWorld, type WorldActor } from "@/lib/testing/contract/world";
import { testDb } from "@/lib/testing/database";

vi.stubEnv("CRON_SECRET", CRON_SECRET);
vi.stubEnv("GOOGLE_WALLET_ISSUER_ID", "3388000000000000001");
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" });
vi.stubEnv(
  "GOOGLE_WALLET_KEY",
  JSON.stringify({ client_email: "wallet@project.iam.test", private_key: pem }),
);

const db = await testDb();
const world = await makeWorld(db);
const EXAMPLES = { ...PUBLIC_EXAMPLES, ...STAFF_EXAMPLES };

async function exampleOf(operation: DocumentedCall): Promise<Example> {
  const make = EXAMPLES[operation.name];
  if (!make) throw new Error(`lib/testing/contract has no example of ${operation.name}`);
  const example = await make(world);
  return example.as ? { ...example, token: world.tokens[example.as] } : example;
}

async function answer(
  operation: DocumentedCall,
  call: Example,
  status: number,
  code?: string,
): Promise<CheckedAnswer> {
  const found = await exchange(operation, call);
  expect(found.violations).toEqual([]);
  expect([found.status, found.body?.code], found.body?.message).toEqual([status, code]);
  return found;
}

const secured = OPERATIONS.filter(({ spec }) => spec.permission !== "public");
const withBody = OPERATIONS.filter(({ spec }) => spec.body);
const named = (operations: DocumentedCall[]) => operations.map((one) => [one.name, one] as const);

describe("a valid call succeeds as documented", () => {
  test.each(named(OPERATIONS))("%s", async (_name, operation) => {
    const { status = 200, data, ...call } = await exampleOf(operation);
    const { body, headers } = await answer(operation, call, status);
    if (data !== undefined) expect(body?.data).toMatchObject(data as object);
    for (const name of ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"]) {
      expect(headers.get(name), name).toMatch(/^\d+$/);
    }
  });
});

describe("a call without permission is refused as documented", () => {
  test.each(named(secured))("%s", async (_name, operation) => {
    const { token, ...call } = await exampleOf(operation);
    await answer(operation, call, 401, "unauthenticated");
    await answer(operation, { ...call, token: "no such token" }, 401, "unauthenticated");
    const ended = await tokenOf(db, world.users.owner);
    const { id } = await db.session.findFirstOrThrow({
      where: { userId: world.users.owner.id },
      orderBy: { createdAt: "desc" },
    });
    await db.session.update({ where: { id }, data: { revokedAt: new Date() } });
    await answer(operation, { ...call, token: ended }, 417, "session_ended");
    const permission = operation.spec.permission as Permission;
    const isAllowed = (who: WorldActor) => scopeOf(world.users[who].role, permission) !== null;
    for (const who of ACTORS.filter((one) => one !== "pending" && !isAllowed(one))) {
      await answer(operation, { ...call, token: world.tokens[who] }, 403, "forbidden");
    }
    // The reason on every call, also on those that the role may never make.
    if (!isOwnAccount(permission) && permission !== "merchant.profile") {
      await answer(operation, { ...call, token: world.tokens.pending }, 403, "merchant_pending");
    }
  });
});

describe("an invalid body is refused as documented", () => {
  test.each(named(withBody))("%s", async (_name, operation) => {
    const { body, ...call } = await exampleOf(operation);
    const malformed = ["{", "[]", "null", '"text"', '{"a":"\\u0000"}', new Uint8Array([0x7b, 0xff, 0x7d])];
    for (const raw of malformed) await answer(operation, { ...call, raw }, 400, "malformed");
    await answer(operation, { ...call, raw: `{"a":"${"x".repeat(70_000)}"}` }, 413, "too_large");
    const form = { ...call.headers, "content-type": "application/x-www-form-urlencoded" };
    await answer(operation, { ...call, raw: "a=1", headers: form }, 415, "unsupported_type");
    for (const name of Object.keys(body as object)) {
      const wrong = { ...(body as object), [name]: { $ne: null } };
      const { body: refusal } = await answer(operation, { ...call, body: wrong }, 400, "validation");
      expect(JSON.stringify(refusal)).toContain(`"path":"${name}`);
    }
  });
});

describe("an unknown id, or another merchant's, is refused as documented", () => {
  const byId = OPERATIONS.filter(({ path }) => path.includes("{id}"));
  const unknown = ["00000000-0000-4000-8000-000000000000", "nothing", "'; drop table users; --", "a\0b"];
  test.each(named(byId))("%s", async (_name, operation) => {
    const call = await exampleOf(operation);
    for (const id of unknown) {
      const found = await exchange(operation, { ...call, params: { id } });
      // Only the card holder learns whether a card exists.
      const status =
        operation.spec.errors?.includes("card_holder_required") && !id.includes("\0") ? 403 : 404;
      expect([found.status, found.violations]).toEqual([status, []]);
    }
    const { permission } = operation.spec;
    if (permission === "public" || scopeOf("merchant_owner", permission as Permission) !== "merchant") return;
    const foreign = await exchange(operation, { ...call, token: world.tokens.neighbour });
    expect([foreign.status, foreign.violations]).toEqual([404, []]);
  });
});

describe("too many requests are refused as documented", () => {
  const LIMITS = { exists: 30, heavy: 30, money: 600, session: 1200, public: 300, probe: 1200 };
  const limitOf = ({ method, path, spec }: DocumentedCall): keyof typeof LIMITS => {
    if (/exist$/.test(path)) return "exists";
    if (
      /^\/(top-up-points|redeem-points|bonus-points|reversals|transactions\/{id}\/(reverse|refund))$/.test(
        path,
      )
    )
      return "money";
    if (method === "post" && path.startsWith("/holds")) return "money";
    if (/loyalty-card\.pdf$|^\/(wallet\/v1\/log|csp-report)$/.test(path)) return "heavy";
    if (/^\/(health|ready)$/.test(path)) return "probe";
    // An open card page calls it every four seconds, and all cards on a shop's Wi-Fi have one address.
    return spec.permission === "public" && !path.endsWith("/balance") ? "public" : "session";
  };
  test.each(named(OPERATIONS))("%s", async (_name, operation) => {
    const limit = limitOf(operation);
    const { token: _own, ...call } = await exampleOf(operation);
    const address = "203.0.113.7";
    const isPublic = operation.spec.permission === "public";
    const token = isPublic ? undefined : await tokenOf(db, world.users[call.as ?? "owner"]);
    const session = token
      ? await db.session.findUniqueOrThrow({ where: { tokenHash: hashSecret(token) }, select: { id: true } })
      : undefined;
    const key = session?.id ?? address;
    for (let n = 0; n < LIMITS[limit]; n += 1) await countRequest(limit, key).catch(() => undefined);
    const refused = await answer(operation, { ...call, token, address }, 429, "rate_limited");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.headers.get("ratelimit-remaining")).toBe("0");
    expect(refused.headers.get("ratelimit-limit")).toBe(String(LIMITS[limit]));
  });
});
