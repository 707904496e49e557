import { randomUUID } from "node:crypto";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { branchName } from "@/lib/domain/localized-names";
import { postOver } from "@/lib/ledger/batch";
import { topUp } from "@/lib/ledger/move-points";
import { auditsOf } from "@/lib/testing/audits";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeAdmin,
  makeBranch,
  makeCustomer,
  makeMerchant,
  makeWorker,
} from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import {
  createBranch,
  createOutlet,
  getBranch,
  listBranches,
  listOutlets,
  removeBranch,
  updateBranch,
} from "./branches";
import { branchesSchema } from "./model";

const DELETE = handlerOf("DELETE", "branches/{id}");
const PUT = handlerOf("PUT", "branches/{id}");
const GET = handlerOf("GET", "branches");
const POST = handlerOf("POST", "branches");
const addOutlet = handlerOf("POST", "outlets");
const outlets = handlerOf("GET", "outlets");

const db = await testDb();
const page = (query: object = {}) => branchesSchema.parse(query);

describe("branches", () => {
  test("an owner adds a branch to their merchant, and the audit log names the owner", async () => {
    const { owner, merchant } = await makeMerchant(db);
    const branch = await createBranch(contextOf(db, owner), { name: "Lusail", city: "Lusail" });
    expect(branch).toMatchObject({ name: "Lusail", workers: 0, merchant: { id: merchant.id } });
    const audits = await db.audit.findMany({ where: { entityId: branch.id } });
    expect(audits).toMatchObject([{ action: "branch.created", actorId: owner.id, merchantId: merchant.id }]);
  });

  test("a branch may have an Arabic name, which an empty text takes away", async () => {
    const { owner } = await makeMerchant(db);
    const ctx = contextOf(db, owner);
    const branch = await createBranch(ctx, { name: "Lusail", nameAr: " لوسيل ", city: "Lusail" });
    expect(branch).toMatchObject({ name: "Lusail", nameAr: "لوسيل" });
    expect(branchName(branch, "ar")).toBe("لوسيل");
    expect(branchName(branch, "en")).toBe("Lusail");
    expect((await listBranches(ctx, page({ search: "لوسيل" }))).results).toMatchObject([{ id: branch.id }]);
    // What is left out stays.
    expect(await updateBranch(ctx, { id: branch.id, city: "Doha" })).toMatchObject({ nameAr: "لوسيل" });
    const bare = await updateBranch(ctx, { id: branch.id, nameAr: "" });
    expect(bare.nameAr).toBeNull();
    expect(branchName(bare, "ar")).toBe("Lusail");
  });

  test("an administrator finds the outlets of a merchant by either of its names", async () => {
    const word = randomUUID().slice(0, 8);
    const { merchant, branch } = await makeMerchant(db, { businessNameAr: `بيت الكرك ${word}` });
    const ctx = contextOf(db, await makeAdmin(db));
    for (const search of [merchant.businessName, `بيت الكرك ${word}`]) {
      expect((await listOutlets(ctx, page({ search }))).results).toMatchObject([{ id: branch.id }]);
    }
  });

  test("a branch name is unique within a merchant, ignoring case, also when two are created at once", async () => {
    const shop = await makeMerchant(db);
    const ctx = contextOf(db, shop.owner);
    const both = await Promise.allSettled([
      createBranch(ctx, { name: "West Bay", city: "Doha" }),
      createBranch(ctx, { name: "west bay", city: "Doha" }),
    ]);
    expect(both.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find((one) => one.status === "rejected")).toMatchObject({
      reason: { code: "branch_name_taken", problems: [{ path: "name" }] },
    });
    const other = await makeMerchant(db);
    await createBranch(contextOf(db, other.owner), { name: "West Bay", city: "Doha" });
    await expect(updateBranch(ctx, { id: shop.branch.id, name: "WEST BAY" })).rejects.toMatchObject({
      code: "branch_name_taken",
    });
  });

  test("an archived branch frees its name, is removed from its workers and can be reopened", async () => {
    const shop = await makeMerchant(db);
    const ctx = contextOf(db, shop.owner);
    const worker = await makeWorker(db, shop);
    const { name } = shop.branch;
    await updateBranch(ctx, { id: shop.branch.id, archived: true });
    expect(await db.user.findUnique({ where: { id: worker.id } })).toMatchObject({ branchId: null });
    expect((await listBranches(ctx, page())).results).toEqual([]);
    expect((await listBranches(ctx, page({ state: "archived" }))).results).toHaveLength(1);
    const again = await createBranch(ctx, { name, city: "Doha" });
    await expect(updateBranch(ctx, { id: shop.branch.id, archived: false })).rejects.toMatchObject({
      code: "branch_name_taken",
    });
    await updateBranch(ctx, { id: again.id, archived: true });
    expect(await updateBranch(ctx, { id: shop.branch.id, archived: false })).toMatchObject({
      archivedAt: null,
    });
  });

  test("what a branch is already is no entry of the audit log", async () => {
    const shop = await makeMerchant(db);
    const ctx = contextOf(db, shop.owner);
    const { id } = shop.branch;
    const { name, city } = await getBranch(ctx, { id });
    await updateBranch(ctx, { id, name, city });
    await updateBranch(ctx, { id, archived: false });
    const customer = await makeCustomer(db, shop);
    await topUp(ctx, { customerId: customer.id, points: 5, branchId: id });
    for (const _ of [1, 2]) {
      await removeBranch(ctx, { id });
      await updateBranch(ctx, { id, archived: true });
    }
    await updateBranch(ctx, { id, archived: true, city: "Lusail" });
    await updateBranch(ctx, { id, archived: false, city: "Doha" });
    const entries = (await auditsOf(db, id)).map(({ action, after }) => ({ action, after }));
    expect(entries).toEqual([
      { action: "branch.archived", after: null },
      { action: "branch.changed", after: { city: "Lusail" } },
      { action: "branch.reopened", after: { archived: false, city: "Doha" } },
    ]);
  });

  test("removing deletes an unused branch and archives one with movements", async () => {
    const shop = await makeMerchant(db);
    const ctx = contextOf(db, shop.owner);
    const fresh = await makeBranch(db, shop);
    expect(await removeBranch(ctx, { id: fresh.id })).toEqual({ archived: false });
    await expect(getBranch(ctx, { id: fresh.id })).rejects.toMatchObject({ code: "branch_not_found" });

    const customer = await makeCustomer(db, shop);
    await topUp(ctx, { customerId: customer.id, points: 5, branchId: shop.branch.id });
    expect(await removeBranch(ctx, { id: shop.branch.id })).toEqual({ archived: true });
    expect((await getBranch(ctx, { id: shop.branch.id })).archivedAt).toBeInstanceOf(Date);
  });

  test("removing a branch again deletes nothing of what was archived, and is written down once", async () => {
    const shop = await makeMerchant(db);
    const ctx = contextOf(db, shop.owner);
    const { id } = shop.branch;
    await makeWorker(db, shop);
    for (const _time of ["first", "second"])
      expect(await removeBranch(ctx, { id })).toEqual({ archived: true });
    expect((await updateBranch(ctx, { id, archived: false })).archivedAt).toBeNull();
    expect(await db.audit.count({ where: { entityId: id, action: "branch.archived" } })).toBe(1);
  });

  /** Keeps a posting at this shop open until the answer is called: it holds what postings hold. */
  async function openPosting(shop: Awaited<ReturnType<typeof makeMerchant>>, branchId: string) {
    const customer = await makeCustomer(db, shop);
    const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
    await client.connect();
    await client.query("begin");
    const row = {
      type: "TOP_UP",
      customer: customer.id,
      branch: branchId,
      actor: shop.owner.id,
      scope: "merchant",
      scopeMerchant: shop.merchant.id,
      points: 5,
      key: randomUUID(),
      hash: "x",
    } as const;
    const [outcome] = await postOver(client, [row], { skip: false });
    expect(outcome).toMatchObject({ outcome: "posted" });
    return async () => {
      await client.query("commit");
      await client.end();
    };
  }

  test("deleting a branch waits for the merchant's own postings, and for no neighbour's", async () => {
    const [shop, neighbour] = [await makeMerchant(db), await makeMerchant(db)];
    const fresh = await makeBranch(db, shop);
    const end = await openPosting(neighbour, neighbour.branch.id);
    expect(await removeBranch(contextOf(db, shop.owner), { id: fresh.id })).toEqual({ archived: false });
    await end();
    // Its first movement is being posted: the branch stays, and the movement names it.
    const named = await makeBranch(db, shop);
    const endOwn = await openPosting(shop, named.id);
    const removed = removeBranch(contextOf(db, shop.owner), { id: named.id });
    const waiting = async () => {
      const [row] = await db.$queryRaw<{ n: number }[]>`
        select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`;
      return row?.n;
    };
    await expect.poll(waiting).toBe(1);
    await endOwn();
    expect(await removed).toEqual({ archived: true });
    expect(await db.movement.count({ where: { branchId: named.id } })).toBe(1);
  });

  test("a merchant deletes 20 branches in an hour at most, and may archive more", async () => {
    const shop = await makeMerchant(db);
    const ctx = contextOf(db, shop.owner);
    for (let nth = 0; nth < 20; nth++) {
      const { id } = await makeBranch(db, shop);
      expect(await removeBranch(ctx, { id })).toEqual({ archived: false });
    }
    const { id } = await makeBranch(db, shop);
    await expect(removeBranch(ctx, { id })).rejects.toMatchObject({ code: "rate_limited" });
    const customer = await makeCustomer(db, shop);
    await topUp(ctx, { customerId: customer.id, points: 5, branchId: shop.branch.id });
    expect(await removeBranch(ctx, { id: shop.branch.id })).toEqual({ archived: true });
  });

  test("pages continue without a gap, newest first; search treats % and _ as plain characters", async () => {
    const shop = await makeMerchant(db);
    const ctx = contextOf(db, shop.owner);
    for (const name of ["One", "Two", "Three", "100% fresh"]) await createBranch(ctx, { name, city: "Doha" });
    const first = await listBranches(ctx, page({ limit: 2 }));
    const second = await listBranches(ctx, page({ limit: 2, cursor: first.nextCursor }));
    const third = await listBranches(ctx, page({ limit: 2, cursor: second.nextCursor }));
    expect([first, second, third].flatMap((one) => one.results.map((branch) => branch.name))).toEqual([
      "100% fresh",
      "Three",
      "Two",
      "One",
      shop.branch.name,
    ]);
    expect(third.nextCursor).toBeNull();
    const found = await listBranches(ctx, page({ search: "%" }));
    expect(found.results.map((branch) => branch.name)).toEqual(["100% fresh"]);
    expect((await listBranches(ctx, page({ search: "\u0000" }))).results).toHaveLength(5);
  });
});

describe("another merchant's branch", () => {
  test("an owner cannot read, change, remove, list or create one", async () => {
    const { owner } = await makeMerchant(db);
    const other = await makeMerchant(db);
    const ctx = contextOf(db, owner);
    const { id } = other.branch;
    const refused = { code: "branch_not_found" };
    await expect(getBranch(ctx, { id })).rejects.toMatchObject(refused);
    await expect(updateBranch(ctx, { id, name: "Mine", archived: true })).rejects.toMatchObject(refused);
    await expect(removeBranch(ctx, { id })).rejects.toMatchObject(refused);
    expect((await listBranches(ctx, page({ merchantId: other.merchant.id }))).results).toEqual([]);
    await expect(
      createBranch(ctx, { name: "Mine", city: "Doha", merchantId: other.merchant.id }),
    ).rejects.toMatchObject({ code: "merchant_not_found" });
    expect(await db.branch.findUnique({ where: { id } })).toMatchObject({
      name: other.branch.name,
      archivedAt: null,
    });
  });

  test("a super_admin reaches every branch and must name an existing merchant", async () => {
    const shop = await makeMerchant(db);
    const ctx = contextOf(db, await makeAdmin(db));
    const input = { name: "Airport", city: "Doha" };
    await expect(createOutlet(ctx, input)).rejects.toMatchObject({ code: "validation" });
    const unknown = "00000000-0000-7000-8000-000000000001";
    await expect(createOutlet(ctx, { ...input, merchantId: unknown })).rejects.toMatchObject({
      code: "merchant_not_found",
    });
    const made = await createOutlet(ctx, { ...input, merchantId: shop.merchant.id });
    expect(made.merchant.id).toBe(shop.merchant.id);
    expect(await getBranch(ctx, { id: shop.branch.id })).toMatchObject({ name: shop.branch.name });
  });
});

describe("over the API", () => {
  test("an owner adds, lists, renames and removes a branch with the specification's field names", async () => {
    const { owner, merchant } = await makeMerchant(db);
    const token = await tokenOf(db, owner);
    const made = await call(POST, { method: "POST", token, body: { sBranchName: "Souq", sCity: "Doha" } });
    expect(made).toMatchObject({ status: 200, data: { sBranchName: "Souq", iMerchantId: merchant.id } });
    const { _id } = made.data as { _id: string };
    expect(await call(GET, { token, query: "?limit=1" })).toMatchObject({
      data: { results: [{ _id, sCity: "Doha" }], nextCursor: _id },
    });
    const taken = await call(POST, { method: "POST", token, body: { sBranchName: "SOUQ", sCity: "Doha" } });
    expect(taken).toMatchObject({ status: 409, code: "branch_name_taken" });
    const renamed = { method: "PUT", token, params: { id: _id }, body: { sCity: "Al Wakrah" } };
    expect(await call(PUT, renamed)).toMatchObject({ data: { sBranchName: "Souq", sCity: "Al Wakrah" } });
    expect(await call(DELETE, { method: "DELETE", token, params: { id: _id } })).toMatchObject({
      data: { bArchived: false },
    });
    expect(await call(DELETE, { method: "DELETE", token, params: { id: "x" } })).toMatchObject({
      status: 404,
      code: "branch_not_found",
    });
  });

  test("other roles get 403; a pending owner gets 403 merchant_pending", async () => {
    const shop = await makeMerchant(db);
    const token = await tokenOf(db, await makeWorker(db, shop));
    expect(await call(GET, { token })).toMatchObject({ status: 403, code: "forbidden" });
    expect(await call(outlets, { token: await tokenOf(db, shop.owner) })).toMatchObject({ status: 403 });
    expect(await call(outlets, { token: await tokenOf(db, await makeAdmin(db)) })).toMatchObject({
      status: 200,
    });
    const admin = await makeAdmin(db, { role: "admin" });
    expect(
      await call(addOutlet, { method: "POST", token: await tokenOf(db, admin), body: {} }),
    ).toMatchObject({ status: 403 });
    const waiting = await makeMerchant(db, { status: "pending" });
    expect(await call(GET, { token: await tokenOf(db, waiting.owner) })).toMatchObject({
      status: 403,
      code: "merchant_pending",
    });
  });
});
