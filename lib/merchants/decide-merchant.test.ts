import { describe, expect, test } from "vitest";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, makeMerchant } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { decideMerchant } from "./decide-merchant";

const openBranch = handlerOf("POST", "branches");
const approval = handlerOf("PUT", "merchants/{id}/approval");
const view = handlerOf("GET", "merchants/{id}");

const db = await testDb();

const mailsTo = (recipient: string) => db.email.findMany({ where: { recipient }, orderBy: { id: "asc" } });

describe("the decision", () => {
  test("a lone surrogate is removed from the reason and refused in a branch name", async () => {
    const [{ merchant, owner }, admin] = [await makeMerchant(db, { status: "pending" }), await makeAdmin(db)];
    const body = { eStatus: "R", sReason: "No licence \ud800" };
    const params = { id: merchant.id };
    const decided = await call(approval, { method: "PUT", token: await tokenOf(db, admin), params, body });
    expect(decided).toMatchObject({ status: 200, data: { sReason: "No licence " } });
    await db.merchant.update({ where: { id: merchant.id }, data: { status: "approved" } });
    const named = { sBranchName: "The Pearl \ud800", sCity: "Doha" };
    const opened = await call(openBranch, { method: "POST", token: await tokenOf(db, owner), body: named });
    expect(opened).toMatchObject({ status: 400, errors: [{ path: "sBranchName" }] });
  });

  test("of two concurrent decisions the first one wins and one e-mail is sent", async () => {
    const { merchant, owner } = await makeMerchant(db, { status: "pending" });
    const [one, two] = [await makeAdmin(db), await makeAdmin(db, { role: "admin" })];
    const decisions = await Promise.allSettled([
      decideMerchant(contextOf(db, one), { id: merchant.id, status: "approved", seen: "pending" }),
      decideMerchant(contextOf(db, two), {
        id: merchant.id,
        status: "rejected",
        reason: "The licence is missing.",
        seen: "pending",
      }),
    ]);
    expect(decisions.map((decision) => decision.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(decisions.find((decision) => decision.status === "rejected")).toMatchObject({
      reason: { code: "conflict" },
    });
    expect(await mailsTo(owner.email)).toHaveLength(1);
    expect(await db.audit.count({ where: { entity: "merchant", entityId: merchant.id } })).toBe(1);
  });

  test("a rejection needs a reason, which the owner receives; a rejected merchant can be approved later", async () => {
    const { merchant, owner } = await makeMerchant(db, { status: "pending" });
    const ctx = contextOf(db, await makeAdmin(db));
    const { id } = merchant;
    await expect(decideMerchant(ctx, { id, status: "rejected", reason: "" })).rejects.toMatchObject({
      code: "reason_required",
    });
    await decideMerchant(ctx, { id, status: "rejected", reason: "The licence is missing." });
    await expect(decideMerchant(ctx, { id, status: "rejected", reason: "Again." })).rejects.toMatchObject({
      code: "no_change",
    });
    const approved = await decideMerchant(ctx, { id, status: "approved" });
    expect(approved).toMatchObject({ status: "approved", statusReason: null });
    const mails = await mailsTo(owner.email);
    expect(mails[0]?.text).toContain("The licence is missing.");
    expect(mails[1]?.text).toContain(`/customer/signup/${merchant.publicId}`);
  });

  test("the API takes A and R from administrators only; an unknown merchant is not found", async () => {
    const { merchant, owner } = await makeMerchant(db, { status: "pending" });
    const token = await tokenOf(db, await makeAdmin(db, { role: "admin" }));
    const decide = (body: object, by = token, id = merchant.id) =>
      call(approval, { method: "PUT", token: by, params: { id }, body });
    expect(await decide({ eStatus: "P" })).toMatchObject({ status: 400 });
    expect(await decide({ eStatus: "R" })).toMatchObject({ status: 422, code: "reason_required" });
    expect(await decide({ eStatus: "A" }, token, "unknown")).toMatchObject({ status: 404 });
    expect(await decide({ eStatus: "A" }, await tokenOf(db, owner))).toMatchObject({ status: 403 });
    expect(await decide({ eStatus: "A" })).toMatchObject({ status: 200, data: { eStatus: "A" } });
    const after = await call(view, { token, params: { id: merchant.id } });
    expect(after).toMatchObject({ data: { eStatus: "A", branches: [{ sCity: "Doha" }], aDocuments: [] } });
  });
});
