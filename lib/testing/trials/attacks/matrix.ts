import { expect } from "vitest";
import { isOwnAccount } from "@/lib/domain/actor";
import { type Permission, scopeOf } from "@/lib/domain/policy";
import type { Call, CheckedAnswer, DocumentedCall } from "@/lib/testing/contract/exchange";
import { PUBLIC_EXAMPLES } from "@/lib/testing/contract/public-examples";
import { STAFF_EXAMPLES } from "@/lib/testing/contract/staff-examples";
import type { Example, World } from "@/lib/testing/contract/world";
import { foreignValue, idFields, OPEN, type OpenRule } from "./ids";
import { ask, type Person, peopleOf, type Target } from "./people";
import { changedTables, snapshotOf } from "./snapshot";

const EXAMPLES = { ...PUBLIC_EXAMPLES, ...STAFF_EXAMPLES };

async function exampleOf(operation: DocumentedCall, world: World): Promise<Example> {
  const make = EXAMPLES[operation.name];
  if (!make) throw new Error(`lib/testing/contract has no example of ${operation.name}`);
  const example = await make(world);
  return example.as ? { ...example, token: world.tokens[example.as] } : example;
}

const callOf = ({ as: _as, status: _status, data: _data, ...call }: Example): Call => call;
const isRead = ({ method, name }: DocumentedCall) =>
  method === "get" ||
  ["post /customers/exists", "post /customers/find", "post /merchants-customer"].includes(name);

/** Everything that names a person, a place or a movement of the victim's shop: none of it is another merchant's to read. */
async function ownWords({ db, shop }: World): Promise<string[]> {
  const rows = await db.$queryRaw<{ word: string }[]>`
    select unnest(array[id::text, public_id::text, email, phone]) as word from customers where merchant_id = ${shop.merchant.id}::uuid
    union select unnest(array[id::text, email, phone]) from users where merchant_id = ${shop.merchant.id}::uuid
    union select id::text from branches where merchant_id = ${shop.merchant.id}::uuid
    union select id::text from movements where merchant_id = ${shop.merchant.id}::uuid`;
  return rows.map(({ word }) => word).filter(Boolean);
}

/** Lists whose example filters by an id. */
const FILTERED_LISTS = new Set(["get /shifts", "get /holds"]);

/** Marking own notices as seen does not change a suspended merchant. */
const OPEN_WHILE_SUSPENDED = new Set(["put /notices/seen"]);

/** Whether the scopes of an API key open a call. */
const hasScope = ({ spec: { keyScope } }: DocumentedCall, scopes: readonly string[]): boolean =>
  keyScope === "any" || (keyScope !== null && scopes.includes(keyScope));

/** The same for an API key: it reaches only the calls that name a scope of it, and only its own merchant. */
function keyRefusal(operation: DocumentedCall, { keyScopes = [], side, state }: Person, sent: Call) {
  if (state === "suspended" || !hasScope(operation, keyScopes)) return [403];
  const namesRecord = idFields(operation).some((field) => field.isIn(sent));
  return side === "foreign" && namesRecord && !FILTERED_LISTS.has(operation.name) ? [400, 403, 404] : null;
}

/** The statuses that refuse this person's call of this operation with the victim's ids; null where the policy allows it. */
function refusal(operation: DocumentedCall, person: Person, sent: Call): number[] | null {
  const { role, side, state } = person;
  const permission = operation.spec.permission as Permission;
  if (person.keyScopes) return keyRefusal(operation, person, sent);
  if (role === null) return [401];
  const scope = scopeOf(role, permission);
  if (scope === null) return [403];
  const namesRecord = idFields(operation).some((field) => field.isIn(sent));
  if (isOwnAccount(permission)) return namesRecord ? [400, 403, 404] : null;
  if (state === "pending" && permission !== "merchant.profile") return [403];
  if (state === "suspended" && !isRead(operation) && !OPEN_WHILE_SUSPENDED.has(operation.name)) return [403];
  if (scope === "any" || side !== "foreign") return null;
  // A question that names a record is answered as if there were none, and a list by a foreign filter is empty.
  if (isRead(operation) && (operation.method !== "get" || FILTERED_LISTS.has(operation.name))) return null;
  return namesRecord ? [403, 404] : null;
}

/** A good answer must show none of these words but those that were sent. */
function hides(answer: CheckedAnswer, words: string[], sent: Call, what: string): void {
  const [text, own] = [JSON.stringify(answer.body ?? ""), JSON.stringify(sent)];
  const found = words.filter((word) => text.includes(word) && !own.includes(word));
  if (answer.status < 300) expect.soft(found, `${what} shows`).toEqual([]);
}

type Attempt = { who: string; call: Call; wanted: number[] | "read" };

export class Matrix {
  private people: Person[] = [];

  constructor(private readonly target: Target) {}

  /** Sends calls that must be refused, and compares the database before and after. */
  private async refused(operation: DocumentedCall, calls: Attempt[]): Promise<void> {
    const { db, world } = this.target;
    const words = await ownWords(world);
    const before = await snapshotOf(db);
    for (const { who, call, wanted } of calls) {
      const answer = await ask(this.target, operation.name, call);
      const what = `${operation.name} by ${who}`;
      // A list with a foreign filter may be empty; it must not show what is another's.
      if (wanted === "read") expect.soft(answer.status, what).toBeLessThan(500);
      else expect.soft(wanted, `${what}: ${answer.status}`).toContain(answer.status);
      hides(answer, words, call, what);
      expect.soft(answer.violations, what).toEqual([]);
    }
    // A question that is answered, if only with an empty file, is written down.
    const written = calls.some(({ wanted }) => wanted === "read") ? ["audits", "audit_texts"] : [];
    const changed = changedTables(before, await snapshotOf(db)).filter((name) => !written.includes(name));
    expect.soft(changed, `${operation.name} was refused`).toEqual([]);
  }

  /** Every person with the ids of the victim's shop, then its own people with single ids of another shop. */
  async staff(operation: DocumentedCall): Promise<void> {
    const { target } = this;
    if (this.people.length === 0) this.people = await peopleOf(target);
    const { people } = this;
    const sent = callOf(await exampleOf(operation, target.world));
    const calls = people.flatMap((person) => {
      const wanted = refusal(operation, person, sent);
      const { cookie: _cookie, ...headers } = sent.headers ?? {};
      const own = {
        ...sent,
        token: person.token,
        headers: person.cookie && !person.token ? { ...headers, cookie: person.cookie } : headers,
      };
      return wanted ? [{ who: person.name, call: own, wanted }] : [];
    });
    await this.refused(operation, calls);
    await this.mixed(operation, sent);
    await this.readers(operation, sent);
    // A person who may only read is afterwards as before. Any other call may have signed somebody out.
    if (!isRead(operation)) this.people = [];
  }

  /** The victim's people with one id of another merchant among their own. */
  private async mixed(operation: DocumentedCall, sent: Call): Promise<void> {
    const permission = operation.spec.permission as Permission;
    const own = this.people.filter(({ role, side, keyScopes }) => {
      if (side !== "own") return false;
      if (keyScopes) return hasScope(operation, keyScopes);
      return role !== null && !["any", null].includes(scopeOf(role, permission));
    });
    const isMine = isOwnAccount(permission);
    const calls: Attempt[] = [];
    for (const field of idFields(operation)) {
      const foreign = await foreignValue(operation, field, this.target.rival);
      for (const { name, token } of isMine ? [{ name: "the user", token: sent.token }] : own) {
        const call = { ...field.put(sent, foreign), token };
        calls.push({
          who: `${name} with a foreign ${field.name}`,
          call,
          wanted: isRead(operation) && !field.inPath ? "read" : [400, 403, 404, 409, 422],
        });
      }
    }
    const { rival } = this.target;
    if (calls.length > 0) await this.refused(operation, calls);
    // The answers must not show the other merchant's words either.
    const words = await ownWords(rival);
    for (const { who, call } of calls.filter((one) => one.wanted === "read")) {
      const answer = await ask(this.target, operation.name, call);
      hides(answer, words, call, `${operation.name} by ${who}, which reads,`);
    }
  }

  /** Checks that everybody whom the policy allows gets in. A call may use up its example, so each is new. */
  private async readers(operation: DocumentedCall, sent: Call): Promise<void> {
    const words = await ownWords(this.target.world);
    // A call about the own account reaches only the caller's account. The ids of others have shown that.
    const isMine = isOwnAccount(operation.spec.permission);
    const allowed = this.people.filter((one) => one.role && refusal(operation, one, sent) === null);
    for (const person of isMine ? allowed.slice(0, 1) : allowed) {
      const fresh = callOf(await exampleOf(operation, this.target.world));
      const usesOwn = isMine || sent.token === person.worldToken;
      const call = { ...fresh, token: usesOwn ? fresh.token : person.token };
      const answer = await ask(this.target, operation.name, call);
      const what = `${operation.name} by ${person.name}`;
      expect.soft(answer.status < 500 && answer.status !== 401, `${what}: ${answer.status}`).toBe(true);
      // Refusals beside an answer that fails would prove nothing.
      if (usesOwn) expect.soft(answer.status, what).toBeLessThan(400);
      if (person.side === "foreign") hides(answer, words, call, what);
    }
  }

  /** A call without a session: by its rule, with the ids of one shop and the secrets of another. */
  async open(operation: DocumentedCall): Promise<void> {
    const fields = idFields(operation);
    const rule: OpenRule | undefined = OPEN[operation.name];
    if (!rule) return expect(fields, `${operation.name} takes ids and has no rule`).toEqual([]);
    const [mine, theirs] = [
      callOf(await exampleOf(operation, this.target.rival)),
      callOf(await exampleOf(operation, this.target.world)),
    ];
    const calls = rule.attempts(mine, theirs).map(({ who, call }) => ({ who, call, wanted: rule.refused }));
    if (calls.length > 0) await this.refused(operation, calls);
  }
}
