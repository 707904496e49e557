import { canOpenPath } from "@/lib/domain/panels";
import { isPrivatePath } from "@/lib/domain/paths";
import { type Permission, scopeOf } from "@/lib/domain/policy";
import { ROLES } from "@/lib/domain/roles";
import { ACTIONS, type ActionRule } from "./action-rules";
import { type Person, peopleOf } from "./people";
import { changedTables, snapshotOf } from "./snapshot";
import type { Attack, Tally } from "./tally";
import type { Target } from "./target";

/** Whether the policy may let this person do it to the victim's records. */
function mayRun({ permission, kind }: ActionRule, { role, side, state }: Person): boolean {
  if (kind === "link") return false;
  if (permission === "public" || kind === "open") return true;
  const scope = role === null ? null : scopeOf(role, permission as Permission);
  if (scope === null) return false;
  if (kind === "own") return true;
  if (permission === "account.own" || permission === "account.security") return false;
  if (scope === "any") return true;
  return side === "own" && state === undefined;
}

type Built = { name: string; pages: string[] };

const mayOpen = ({ role, state }: Person, path: string) =>
  !isPrivatePath(path) || (role !== null && state !== "pending" && canOpenPath(role, path));

/**
 * How this person's browser may send an action: to a page that has it, where they may open one; else to one that they
 * may not open, by a cookie that names the role of that page, which the middleware believes. With LONG also to others.
 */
async function waysOf(person: Person, { pages }: Built): Promise<{ path: string; cookie?: string }[]> {
  const addresses = pages.map(addressOf);
  const [first = "/"] = addresses;
  const opened = addresses.find((path) => mayOpen(person, path));
  const role = ROLES.find((one) => canOpenPath(one, first));
  const raised = role && !opened ? await person.cookieAs?.(role) : undefined;
  const own = person.cookie ? { cookie: person.cookie } : {};
  const ways = [{ path: opened ?? first, ...(raised ? { cookie: raised } : own) }];
  if (process.env.LONG !== "1") return ways;
  return [...ways, ...[first, "/account-status", "/customer/loyalty-card"].map((path) => ({ path, ...own }))];
}

async function everyAction(target: Target, tally: Tally): Promise<void> {
  const built = target.actions();
  tally.try(built.length > 0, "the build has no actions");
  for (const { name } of built) tally.try(name in ACTIONS, `${name} has no rule in action-rules.ts`);
  const people = await peopleOf(target);
  for (const action of built) {
    const { name } = action;
    const rule = ACTIONS[name];
    if (!rule) continue;
    let reached = 0;
    const args = [await rule.args(target.world)];
    const before = await snapshotOf(target.db);
    for (const person of people.filter((one) => !mayRun(rule, one))) {
      for (const { path, ...sent } of await waysOf(person, action)) {
        const answer = await target.action(path, name, args, sent);
        if (answer.ok === false) reached += 1;
        tally.try(answer.ok !== true, `${name} by ${person.name} at ${path}: done`);
      }
    }
    const changed = changedTables(before, await snapshotOf(target.db));
    if (rule.kind === "ids") tally.works(reached > 0, `reaching ${name}`);
    // A failed guess of an own secret is counted, and written down.
    const allowed = rule.kind === "link" ? ["codes", "audits", "audit_texts"] : [];
    const wrong = changed.filter((table) => !allowed.includes(table));
    tally.try(wrong.length === 0, `${name} was refused and changed ${wrong}`);
  }
}

/** A route's file as an address, such as app/(admin)/admin/merchants/[id]/page. */
const addressOf = (page: string): string =>
  page
    .replace(/^app/, "")
    .replace(/\/page$/, "")
    .replaceAll(/\/\([^)]*\)/g, "")
    .replaceAll(/\/\[\[?\.\.\.[^/]*/g, "")
    .replaceAll(/\[[^/]*\]/g, "00000000-0000-7000-8000-000000000000") || "/";

/** The action reaches its operation: the same arguments by who may, so that the refusals above say something. */
async function allowed(target: Target, tally: Tally): Promise<void> {
  const people = await peopleOf(target);
  const owner = people.find(({ name }) => name === "owner");
  const admin = people.find(({ name }) => name === "super_admin");
  const works: [Person | undefined, string][] = [
    [owner, "updateBranchAction"],
    [owner, "editCustomerAction"],
    [admin, "changeAdminAction"],
    [admin, "createOutletAction"],
  ];
  for (const [person, name] of works) {
    const rule = ACTIONS[name];
    if (!person?.cookie || !rule) throw new Error(name);
    const args = [await rule.args(target.world)];
    const built = target.actions().find((one) => one.name === name);
    const [{ path: page } = { path: "/" }] = built ? await waysOf(person, built) : [];
    const answer = await target.action(page, name, args, { cookie: person.cookie });
    tally.works(answer.ok === true, `${name} by ${person.name}: ${answer.code}`);
    tally.try(true, name);
    const other = { cookie: person.cookie, headers: { origin: "https://evil.example" } };
    const forged = await target.action(page, name, args, other);
    tally.try(forged.ok !== true, `${name} sent by another site's page: done`);
  }
}

/** Every server action of the build, by everybody who must not, with the victim's records. */
export const actionAttacks = (target: Target): Attack[] => [
  {
    name: "server actions × roles × foreign arguments",
    needs: "server",
    run: async (tally) => {
      await everyAction(target, tally);
      await allowed(target, tally);
    },
  },
];
