import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { openSession } from "@/lib/accounts/session";
import { addCardDevice } from "@/lib/cards/card-holder";
import { freezeToken } from "@/lib/cards/freeze-card";
import { canOpenPath } from "@/lib/domain/panels";
import { isPrivatePath } from "@/lib/domain/paths";
import { type Permission, scopeOf } from "@/lib/domain/policy";
import { ROLES } from "@/lib/domain/roles";
import { newAddress } from "@/lib/testing/contract/exchange";
import { inboxEntry } from "@/lib/testing/contract/till-examples";
import type { World } from "@/lib/testing/contract/world";
import { makeAdmin, makeMerchant, uniqueEmail } from "@/lib/testing/factories";
import { actionRequest, actionsOfBuild, type BuiltAction } from "../built-actions";
import { foreignKey, foreignPending, foreignTill, foreignWebhook } from "./ids";
import type { Person, Target } from "./people";
import { changedTables, snapshotOf } from "./snapshot";

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

type Way = { path: string; cookie?: string };

/**
 * Runs a server action as a browser's POST to a page does. Answers whether it was done, and how it was refused; `ok` is
 * null if it was not run at all.
 */
async function runAction(
  { stage }: Target,
  { id }: BuiltAction,
  { path, cookie }: Way,
  args: unknown[],
  origin = stage.url ?? "",
): Promise<{ ok: boolean | null; code: string | undefined }> {
  const headers = { "x-forwarded-for": newAddress(), ...(cookie ? { cookie } : {}) };
  const request = actionRequest(id, args, origin, headers);
  const answer = await fetch(`${stage.url}${path}`, { ...request, redirect: "manual" });
  const text = await answer.text();
  const ok = /"ok":(true|false)/.exec(text)?.[1];
  return { ok: ok === undefined ? null : ok === "true", code: /"code":"(\w+)"/.exec(text)?.[1] };
}

const mayOpen = ({ role, state }: Person, path: string) =>
  !isPrivatePath(path) || (role !== null && state !== "pending" && canOpenPath(role, path));

/**
 * How this person's browser may send an action: to a page that has it, where they may open one; else to one that they
 * may not open, by a cookie that names the role of that page, which the middleware believes. With LONG also to others.
 */
async function waysOf(person: Person, { pages }: BuiltAction): Promise<Way[]> {
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

/** Sends a server action of the build by those of these people who must not run it, with the victim's records. */
export async function attackAction(target: Target, people: Person[], action: BuiltAction): Promise<void> {
  const { name } = action;
  const rule = ACTIONS[name];
  if (!rule) throw new Error(`${name} has no rule in actions.ts`);
  let reached = 0;
  const args = [await rule.args(target.world)];
  const before = await snapshotOf(target.db);
  for (const person of people.filter((one) => !mayRun(rule, one))) {
    for (const way of await waysOf(person, action)) {
      const { ok } = await runAction(target, action, way, args);
      if (ok === false) reached += 1;
      expect.soft(ok, `${name} by ${person.name} at ${way.path}`).not.toBe(true);
    }
  }
  const changed = changedTables(before, await snapshotOf(target.db));
  // Refusals that never reached the action would prove nothing.
  if (rule.kind === "ids") expect.soft(reached, `reaching ${name}`).toBeGreaterThan(0);
  // A failed guess of an own secret is counted, and written down.
  const allowed = rule.kind === "link" ? ["codes", "audits", "audit_texts"] : [];
  expect
    .soft(
      changed.filter((table) => !allowed.includes(table)),
      `${name} was refused`,
    )
    .toEqual([]);
}

/** A route's file as an address, such as app/(admin)/admin/merchants/[id]/page. */
const addressOf = (page: string): string =>
  page
    .replace(/^app/, "")
    .replace(/\/page$/, "")
    .replaceAll(/\/\([^)]*\)/g, "")
    .replaceAll(/\/\[\[?\.\.\.[^/]*/g, "")
    .replaceAll(/\[[^/]*\]/g, "00000000-0000-7000-8000-000000000000") || "/";

/** Actions by somebody who may run them. */
export const ALLOWED = [
  ["owner", "updateBranchAction"],
  ["owner", "editCustomerAction"],
  ["super_admin", "changeAdminAction"],
  ["super_admin", "createOutletAction"],
] as const;

/** The action reaches its operation with the same arguments, so that refusals say something; not from another site's page. */
export async function allowedAction(
  target: Target,
  people: Person[],
  who: string,
  name: string,
): Promise<void> {
  const person = people.find((one) => one.name === who);
  const [rule, action] = [ACTIONS[name], actionsOfBuild().find((one) => one.name === name)];
  if (!person?.cookie || !rule || !action) throw new Error(name);
  const args = [await rule.args(target.world)];
  const [{ path } = { path: "/" }] = await waysOf(person, action);
  const way = { path, cookie: person.cookie };
  expect(await runAction(target, action, way, args)).toMatchObject({ ok: true });
  expect((await runAction(target, action, way, args, "https://evil.example")).ok).not.toBe(true);
}

/**
 * The permission of an action, and arguments that name the victim's records. `own`: the action reaches only
 * the caller's own account. `open`: a stranger may run it. `link`: the argument is itself a secret, which is
 * guessed here.
 */
type ActionRule = {
  permission: Permission | "public";
  kind: "ids" | "own" | "open" | "link";
  args(world: World): Promise<unknown> | unknown;
};

const rule =
  (kind: ActionRule["kind"]) =>
  (permission: ActionRule["permission"], args: ActionRule["args"] = () => ({})): ActionRule => ({
    permission,
    kind,
    args,
  });
const [ids, own, open, link] = [rule("ids"), rule("own"), rule("open"), rule("link")];

const CONFIG = {
  dirhamsPerPoint: 200,
  minTopUp: 1,
  maxTopUp: 500,
  maxBalance: 900,
  undoMinutes: 1,
  workerDailyCap: null,
};
const customer = async (world: World) => ({ customerId: (await world.customer()).id });
const branch = async (world: World) => ({ id: (await world.branch()).id });
const admin = async ({ db }: World) => ({ id: (await makeAdmin(db)).id });
const applicant = async ({ db }: World) => ({
  id: (await makeMerchant(db, { status: "pending" })).merchant.id,
});
const APPROVED = { status: "approved" };
const worker = async (world: World) => ({ id: (await world.worker()).id });
const pending = async (world: World) => ({ id: await foreignPending(world) });
const entry = async (world: World) => ({ id: (await inboxEntry(world)).id });
const apiKey = async (world: World) => ({ id: await foreignKey(world) });
const webhook = async (world: World) => ({ id: await foreignWebhook(world) });
const till = async (world: World) => ({ id: await foreignTill(world) });
const merchant = ({ shop }: World) => ({ id: shop.merchant.id });
const scope = ({ shop }: World) => ({ merchantId: shop.merchant.id });
/** The record's fields, and these. */
const withMore = (record: ActionRule["args"], more: object) => async (world: World) => ({
  ...((await record(world)) as object),
  ...more,
});
const newBranch = (world: World) => ({ ...scope(world), name: uniqueEmail(), city: "Doha" });
const EVE = { firstName: "Eve", lastName: "Haddad" };
const PHONE = "+97455123456";
const newHolder = ({ shop }: World) => ({
  fullName: "Layla Haddad",
  email: uniqueEmail(),
  phone: PHONE,
  dateOfBirth: "1995-04-12",
  merchantId: shop.merchant.id,
});
/** A card whose holder asked for nothing: the caller has no cookie of it. */
const card = async (world: World, more: object = {}) => {
  const { id } = await world.customer();
  await addCardDevice(world.db, id, new Date());
  return { customerId: id, ...more };
};
const [CODE, PIN, PASSWORD] = ["123456", "580314", "a long new password"];
const guess = () => ({ token: `${randomUUID()}.${"x".repeat(43)}` });

/** Every server action of the program. */
const ACTIONS: Record<string, ActionRule> = {
  inviteAdminAction: ids("admins.manage", () => ({ ...EVE, email: uniqueEmail(), role: "super_admin" })),
  changeAdminAction: ids("admins.manage", withMore(admin, { active: false })),
  sendOwnEmailCodesAction: own("account.own", () => ({ email: uniqueEmail() })),
  changeOwnEmailAction: own("account.own", () => ({ email: uniqueEmail(), code: CODE, oldCode: "654321" })),
  reapplyAction: own("merchant.profile", () => ({ note: "Please look again." })),
  countNoticesAction: own("notices.read"),
  markNoticesAction: own("notices.read", () => ({ until: new Date().toISOString() })),
  suspendMerchantAction: ids("merchants.suspend", withMore(merchant, { suspended: true, reason: "x" })),
  decideMerchantAction: ids("merchants.decide", withMore(applicant, APPROVED)),
  decideProfileAction: ids("merchants.decide", withMore(merchant, { changeId: randomUUID(), ...APPROVED })),
  createOutletAction: ids("outlets.manage", newBranch),
  removeOutletAction: ids("outlets.manage", branch),
  updateOutletAction: ids("outlets.manage", withMore(branch, { archived: true })),
  changePlatformAction: ids("platform.settings", () => ({ redeemAllowanceCeiling: 20_000 })),
  confirmMailboxAction: link("public", guess),
  signUpMerchantAction: open("public"),
  cancelProfileChangeAction: own("merchant.profile"),
  updateBusinessAction: own("merchant.profile"),
  removeBranchAction: ids("branches.manage", branch),
  createBranchAction: ids("branches.manage", newBranch),
  updateBranchAction: ids("branches.manage", withMore(branch, { name: "Taken" })),
  inviteWorkerAction: ids("workers.manage", worker),
  removeWorkerPinAction: ids("workers.manage", worker),
  updateWorkerAction: ids("workers.manage", withMore(worker, { active: false })),
  createWorkerAction: ids("workers.manage", (world) => {
    const branchId = world.shop.branch.id;
    return { ...EVE, email: uniqueEmail(), phone: PHONE, branchId, ...scope(world) };
  }),
  startCheckAction: ids("ledger.verify", scope),
  endOtherSessionsAction: own("account.own"),
  endSessionAction: ids("account.own", async ({ db, worker: newWorker }) => {
    const from = { userId: (await newWorker()).id, userAgent: null, address: "a", now: new Date() };
    return { handle: (await openSession(db, from)).handle };
  }),
  changeCustomerEmailAction: ids("customers.edit", withMore(customer, { email: uniqueEmail(), reason: "x" })),
  blockCustomersAction: ids("customers.edit", async (world) => ({
    customerIds: [(await world.customer()).id],
    status: "blocked",
    reason: "x",
  })),
  stopCustomerEmailAction: ids("customers.edit", customer),
  sendUnfreezeCodeAction: ids("customers.edit", customer),
  unfreezeCustomerAction: ids("customers.edit", withMore(customer, { code: CODE })),
  editCustomerAction: ids("customers.edit", withMore(customer, { status: "blocked" })),
  editConfigAction: ids("config.edit", withMore(scope, CONFIG)),
  withdrawOverrideAction: ids("config.edit", scope),
  configImpactAction: ids("config.edit", withMore(scope, { dirhamsPerPoint: 200 })),
  approvePendingAction: ids("config.edit", pending),
  cancelPendingAction: ids("config.edit", pending),
  changeSettingsAction: ids("merchant.settings", withMore(merchant, { refundDays: 30 })),
  updateProfileAction: own("account.own"),
  changePasswordAction: link("account.own", () => ({ oldPassword: "a wrong guess", newPassword: PASSWORD })),
  setPinAction: link("pin.own", () => ({ password: "a wrong guess", pin: PIN })),
  removeFactorAction: ids("account.security", async () => ({ id: randomUUID() })),
  renameFactorAction: ids("account.security", async () => ({ id: randomUUID(), name: "x" })),
  confirmTotpAction: link("account.security", () => ({ code: CODE })),
  addPasskeyAction: link("account.security", () => ({
    attestation: { id: "x", rawId: "x", type: "public-key", response: {} },
  })),
  stepUpAction: link("account.security", () => ({ password: "a wrong guess" })),
  stepUpDueAction: own("account.security"),
  requestStepUpAction: own("account.security"),
  renewRecoveryCodesAction: own("account.security"),
  startPasskeyAction: own("account.security"),
  startTotpAction: own("account.security"),
  passkeyRequestAction: open("public"),
  saveLocaleAction: open("public", () => "ar"),
  signInAction: open("public", () => ({})),
  forgotPasswordAction: open("public", () => ({ email: uniqueEmail() })),
  acceptInvitationAction: link("public", withMore(guess, { password: PASSWORD, pin: PIN })),
  resetPasswordAction: link("public", withMore(guess, { password: PASSWORD })),
  // The holder's choice of language is kept with the card only for the holder.
  cardLocaleAction: open("card.own", async (world) => (await card(world)).customerId),
  freezeCardAction: link("card.freeze", async (world) => ({
    token: `${freezeToken((await world.customer()).id, new Date()).slice(0, -1)}~`,
  })),
  freezeOwnCardAction: ids("card.own", (world) => card(world)),
  askUnfreezeAction: open("card.view", (world) => card(world)),
  mailCardsAction: open("public", () => ({ email: uniqueEmail() })),
  openCardAction: link("public", guess),
  sendMailboxLinkAction: own("account.own"),
  stopEmailChangeAction: link("card.stop", guess),
  endDeviceAction: link("card.stop", guess),
  proveHolderAction: link("card.view", (world) => card(world, { code: CODE })),
  sendCardCodeAction: open("card.view", (world) => card(world, { purpose: "card_holder" })),
  cancelEmailChangeAction: ids("card.own", (world) => card(world)),
  cardStatementAction: ids("card.own", (world) => card(world)),
  eraseCustomerAction: ids("card.own", (world) => card(world, { code: CODE })),
  changeEmailAction: ids("card.own", (world) => card(world, { email: uniqueEmail(), code: CODE })),
  sendNewEmailCodeAction: ids("card.own", (world) => card(world, { email: uniqueEmail() })),
  sendCodeAction: open("public", () => ({ email: uniqueEmail() })),
  startSignUpAction: open("public", withMore(newHolder, { consent: true })),
  signUpAction: link("public", withMore(newHolder, { code: CODE })),
  createApiKeyAction: ids("apiKeys.manage", ({ shop }) => ({
    name: "Taken",
    scopes: ["topup"],
    branchId: shop.branch.id,
  })),
  updateApiKeyAction: ids("apiKeys.manage", withMore(apiKey, { name: "Taken" })),
  rotateApiKeyAction: ids("apiKeys.manage", apiKey),
  revokeApiKeyAction: ids("apiKeys.manage", apiKey),
  createWebhookAction: ids("webhooks.manage", ({ shop }) => ({
    url: "http://127.0.0.1:9/events",
    events: ["import.posted"],
    branchId: shop.branch.id,
  })),
  updateWebhookAction: ids("webhooks.manage", withMore(webhook, { url: "http://127.0.0.1:9/taken" })),
  rotateWebhookAction: ids("webhooks.manage", webhook),
  deleteWebhookAction: ids("webhooks.manage", webhook),
  testWebhookAction: ids("webhooks.manage", webhook),
  replayWebhookAction: ids("webhooks.manage", withMore(webhook, { failedOnly: true })),
  createTillAction: ids("tills.manage", ({ shop }) => ({ branchId: shop.branch.id, name: uniqueEmail() })),
  updateTillAction: ids("tills.manage", withMore(till, { name: "Taken" })),
  retireTillAction: ids("tills.manage", till),
  resolveEntryAction: ids("offline.resolve", withMore(entry, { action: "write_off", reason: "x" })),
};
