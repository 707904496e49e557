import { describe, expect, test } from "vitest";
import { resolveSession } from "@/lib/accounts/session";
import { forgotPassword, mailReset, resetPassword, viewPasswordLink } from "@/lib/accounts/set-password";
import { signIn } from "@/lib/accounts/sign-in";
import { getDb } from "@/lib/db/client";
import { qatarDay } from "@/lib/domain/time";
import { notePng } from "@/lib/files/note";
import { reverse, topUp } from "@/lib/ledger/move-points";
import { movementTotals } from "@/lib/ledger/movement-totals";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  type MerchantFixture,
  makeBranch,
  makeCustomer,
  makeMerchant,
  makeWorker,
  publicContext,
  randomPhone,
  uniqueEmail,
} from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { heldBack, holdUser } from "@/lib/testing/held-back";
import { runJobs } from "@/lib/testing/jobs";
import { workersSchema } from "./model";
import { createWorker, disableWorker, getWorker, inviteWorker, listWorkers, updateWorker } from "./workers";

const DELETE = handlerOf("DELETE", "workers/{id}");
const PUT = handlerOf("PUT", "workers/{id}");
const GET = handlerOf("GET", "workers");
const POST = handlerOf("POST", "workers");

const db = await testDb();
const NEW_PASSWORD = "a long new password";

const person = (shop: MerchantFixture, overrides = {}) => ({
  firstName: "Ravi",
  lastName: "Kumar",
  email: uniqueEmail("ravi"),
  phone: randomPhone(),
  branchId: shop.branch.id,
  ...overrides,
});

async function linksMailedTo(email: string): Promise<string[]> {
  const mails = await db.email.findMany({ where: { recipient: email }, orderBy: { id: "asc" } });
  return mails.map((mail) => /reset-password\/([\w-]+)/.exec(mail.text)?.[1] ?? "");
}

describe("inviting a worker", () => {
  test("mails one address ten times an hour at most, however the owner asks for it", async () => {
    const shop = await makeMerchant(db);
    const ctx = contextOf(db, shop.owner);
    const [email, other] = [uniqueEmail("victim"), uniqueEmail("other")];
    const limited = { code: "rate_limited" };
    const { id } = await createWorker(ctx, person(shop, { email }));
    for (let nth = 0; nth < 4; nth++) {
      await updateWorker(ctx, { id, active: false });
      await updateWorker(ctx, { id, active: true });
    }
    for (let nth = 0; nth < 3; nth++) {
      await updateWorker(ctx, { id, email: other });
      await updateWorker(ctx, { id, email });
    }
    await updateWorker(ctx, { id, email: other });
    const { id: second } = await createWorker(ctx, person(shop, { email }));
    expect(await linksMailedTo(email)).toHaveLength(9);
    await inviteWorker(ctx, { id: second });
    await expect(inviteWorker(ctx, { id: second })).rejects.toMatchObject(limited);
    await updateWorker(ctx, { id: second, active: false });
    await expect(updateWorker(ctx, { id: second, active: true })).rejects.toMatchObject(limited);
    await expect(createWorker(ctx, person(shop, { email }))).rejects.toMatchObject(limited);
    expect(await linksMailedTo(email)).toHaveLength(10);
    // What one shop used up, no other shop lacks.
    const neighbour = await makeMerchant(db);
    const taken = createWorker(contextOf(db, neighbour.owner), person(neighbour, { email }));
    await expect(taken).rejects.toMatchObject({ code: "email_taken" });
  });

  test("e-mails a link that sets the password once; then the worker can sign in", async () => {
    const shop = await makeMerchant(db);
    const worker = await createWorker(contextOf(db, shop.owner), person(shop));
    expect(worker).toMatchObject({ status: "invited", branch: { id: shop.branch.id } });
    const [token = ""] = await linksMailedTo(worker.email);
    const { businessName } = shop.merchant;
    const view = () => viewPasswordLink(publicContext(db), { token });
    const seen = await view();
    expect(seen).toMatchObject({ first: true, name: worker.firstName, shop: { businessName } });
    // The page's head is the shop's note.
    const { publicId } = shop.merchant;
    expect(seen?.shop?.note.path).toMatch(`/card/note/${publicId}?plain=1&v=`);
    await expect(notePng(publicContext(db), { merchantId: publicId, plain: true })).resolves.toBeInstanceOf(
      Buffer,
    );
    await resetPassword(publicContext(db), { token, password: NEW_PASSWORD });
    expect(await view()).toBeNull();
    const session = await signIn(publicContext(db), { email: worker.email, password: NEW_PASSWORD });
    expect(session.user).toMatchObject({ id: worker.id, role: "branch_worker" });
    await expect(resetPassword(publicContext(db), { token, password: NEW_PASSWORD })).rejects.toMatchObject({
      code: "link_invalid",
    });
  });

  test("a second invitation replaces the first link, and is refused once the worker has joined", async () => {
    const shop = await makeMerchant(db);
    const ctx = contextOf(db, shop.owner);
    const worker = await createWorker(ctx, person(shop));
    await inviteWorker(ctx, { id: worker.id });
    const [old = "", fresh = ""] = await linksMailedTo(worker.email);
    const setWith = (token: string) => resetPassword(publicContext(db), { token, password: NEW_PASSWORD });
    await expect(setWith(old)).rejects.toMatchObject({ code: "link_invalid" });
    await setWith(fresh);
    await expect(inviteWorker(ctx, { id: worker.id })).rejects.toMatchObject({ code: "conflict" });
  });

  test("a used e-mail is refused; another merchant's or an archived branch is not found", async () => {
    const shop = await makeMerchant(db);
    const other = await makeMerchant(db);
    const ctx = contextOf(db, shop.owner);
    const known = await makeWorker(db, other);
    await expect(createWorker(ctx, person(shop, { email: known.email }))).rejects.toMatchObject({
      code: "email_taken",
      problems: [{ path: "email" }],
    });
    expect(await linksMailedTo(known.email)).toEqual([]);
    const closed = await makeBranch(db, shop, { archivedAt: new Date() });
    for (const branchId of [other.branch.id, closed.id]) {
      await expect(createWorker(ctx, person(shop, { branchId }))).rejects.toMatchObject({
        code: "branch_not_found",
      });
    }
  });
});

describe("changing a worker", () => {
  test("disabling ends the worker's sessions; enabling makes the worker active again", async () => {
    const shop = await makeMerchant(db);
    const ctx = contextOf(db, shop.owner);
    const worker = await makeWorker(db, shop);
    const token = await tokenOf(db, worker);
    expect(await disableWorker(ctx, { id: worker.id })).toMatchObject({ status: "disabled" });
    expect((await resolveSession(db, { token }, new Date())).state).toBe("ended");
    await updateWorker(ctx, { id: worker.id, active: true });
    // A change that changes nothing is no entry of the log.
    await updateWorker(ctx, { id: worker.id, active: true, firstName: worker.firstName });
    expect(await getWorker(ctx, { id: worker.id })).toMatchObject({ status: "active" });
    expect((await resolveSession(db, { token }, new Date())).state).toBe("ended");
    const actions = await db.audit.findMany({ where: { entityId: worker.id }, orderBy: { id: "asc" } });
    expect(actions.map((row) => row.action)).toEqual(["worker.disabled", "worker.enabled"]);
  });

  test("an invited worker's e-mail can change and gets a new invitation; a joined worker's cannot", async () => {
    const shop = await makeMerchant(db);
    const ctx = contextOf(db, shop.owner);
    const invited = await createWorker(ctx, person(shop));
    const email = uniqueEmail("corrected");
    expect(await updateWorker(ctx, { id: invited.id, email })).toMatchObject({ email, status: "invited" });
    expect(await linksMailedTo(email)).toHaveLength(1);
    const joined = await makeWorker(db, shop);
    await expect(updateWorker(ctx, { id: joined.id, email: uniqueEmail("stolen") })).rejects.toMatchObject({
      code: "validation",
      problems: [{ path: "email" }],
    });
  });

  test("a reset link that is made while an invited worker's e-mail changes is mailed to nobody", async () => {
    const shop = await makeMerchant(db);
    const ctx = contextOf(getDb(), shop.owner);
    const { id, email: old } = await createWorker(ctx, person(shop));
    await forgotPassword(publicContext(getDb()), { email: old });
    const outcomes = await heldBack(
      db,
      holdUser(id),
      () => updateWorker(ctx, { id, email: uniqueEmail("corrected") }),
      () => runJobs(db, { mail_reset: mailReset }),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    // The invitations alone, of which the first ended.
    expect(await linksMailedTo(old)).toHaveLength(1);
    expect(await db.passwordToken.count({ where: { userId: id, usedAt: null } })).toBe(1);
  });

  test("another merchant's worker, an owner and an unknown id are not found", async () => {
    const shop = await makeMerchant(db);
    const other = await makeMerchant(db);
    const foreign = await makeWorker(db, other);
    const ctx = contextOf(db, shop.owner);
    const refused = { code: "worker_not_found" };
    for (const id of [foreign.id, shop.owner.id, other.owner.id]) {
      await expect(getWorker(ctx, { id })).rejects.toMatchObject(refused);
      await expect(updateWorker(ctx, { id, firstName: "Mine" })).rejects.toMatchObject(refused);
      await expect(disableWorker(ctx, { id })).rejects.toMatchObject(refused);
      await expect(inviteWorker(ctx, { id })).rejects.toMatchObject(refused);
    }
    expect(await db.user.findUnique({ where: { id: foreign.id } })).toMatchObject({
      firstName: foreign.firstName,
      status: "active",
    });
  });
});

describe("the list", () => {
  test("shows each worker's movements of today, and finds a worker by first and last name", async () => {
    const shop = await makeMerchant(db);
    const worker = await makeWorker(db, shop, { firstName: "Maryam", lastName: "Saleh" });
    await makeWorker(db, shop, { firstName: "Maryam", lastName: "Odeh" });
    const ctx = contextOf(db, worker);
    const customer = await makeCustomer(db, shop);
    const at = { customerId: customer.id, branchId: shop.branch.id };
    await topUp(ctx, { ...at, points: 100 });
    const { movement } = await topUp(ctx, { ...at, points: 40 });
    await reverse(ctx, { movementId: movement.id });
    // The worker's own page says the same.
    const today = qatarDay(new Date());
    expect(await movementTotals(ctx, { from: today, to: today })).toEqual({
      count: 2,
      toppedUp: 100,
      redeemed: 0,
      net: 100,
      gross: { toppedUp: 140, redeemed: 0, value: { toppedUp: "140.00", redeemed: "0.00" } },
      value: { toppedUp: "100.00", redeemed: "0.00", net: "100.00" },
    });
    const query = workersSchema.parse({ search: "maryam sal" });
    const { results } = await listWorkers(contextOf(db, shop.owner), query);
    expect(results).toMatchObject([
      {
        id: worker.id,
        today: {
          topUps: { count: 2, points: 100, gross: 140, dirhams: 10_000 },
          redeems: { count: 0, points: 0, gross: 0, dirhams: 0 },
          undone: 1,
        },
      },
    ]);
  });

  test("the API adds, lists and disables; an invalid phone names its field", async () => {
    const shop = await makeMerchant(db);
    const token = await tokenOf(db, shop.owner);
    const body = {
      sFirstName: "Amal",
      sLastName: "Nasser",
      sEmail: uniqueEmail("amal"),
      sPhoneNumber: "55123456",
      iBranchId: shop.branch.id,
    };
    const made = await call(POST, { method: "POST", token, body });
    expect(made).toMatchObject({ status: 200, data: { sPhoneNumber: "+97455123456", eStatus: "invited" } });
    const { _id } = made.data as { _id: string };
    expect(await call(GET, { token, query: `?iBranchId=${shop.branch.id}` })).toMatchObject({
      data: { results: [{ _id }], nextCursor: null },
    });
    const bad = await call(PUT, { method: "PUT", token, params: { id: _id }, body: { sPhoneNumber: "1" } });
    expect(bad).toMatchObject({ status: 400, errors: [{ path: "sPhoneNumber" }] });
    const gone = await call(DELETE, { method: "DELETE", token, params: { id: _id } });
    expect(gone).toMatchObject({ data: { eStatus: "disabled", bActive: false } });
    const foreign = await makeMerchant(db);
    const stranger = await tokenOf(db, foreign.owner);
    const reach = { method: "PUT", token: stranger, params: { id: _id }, body: { bActive: true } };
    expect(await call(PUT, reach)).toMatchObject({ status: 404, code: "worker_not_found" });
  });
});
