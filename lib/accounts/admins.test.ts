import { expect, test } from "vitest";
import { auditsOf } from "@/lib/testing/audits";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, publicContext, uniqueEmail } from "@/lib/testing/factories";
import { changeAdmin, inviteAdmin, listAdmins } from "./admins";
import { resetPassword } from "./set-password";
import { signIn } from "./sign-in";

const db = await testDb();

test("an invited administrator sets a password with the mailed link, and a second invitation voids the first", async () => {
  const ctx = contextOf(db, await makeAdmin(db));
  const email = uniqueEmail("sara");
  const person = { firstName: "Sara", lastName: "Haddad", email, role: "admin" as const };
  const { id, status } = await inviteAdmin(ctx, person);
  expect(status).toBe("invited");
  await expect(inviteAdmin(ctx, person)).rejects.toMatchObject({ code: "email_taken" });
  await changeAdmin(ctx, { id, invite: true });
  const mails = await db.email.findMany({ where: { recipient: email }, orderBy: { id: "asc" } });
  const [first = "", second = ""] = mails.map(({ text }) => /reset-password\/([\w-]+)/.exec(text)?.[1] ?? "");
  const password = "quite a good secret";
  await expect(resetPassword(publicContext(db), { token: first, password })).rejects.toMatchObject({
    code: "link_invalid",
  });
  const own = resetPassword(publicContext(db), { token: second, password: "Sara.Haddad2026" });
  await expect(own).rejects.toMatchObject({ code: "weak_password" });
  await resetPassword(publicContext(db), { token: second, password });
  expect((await signIn(publicContext(db), { email, password })).user.role).toBe("admin");
  await expect(changeAdmin(ctx, { id, invite: true })).rejects.toMatchObject({ code: "conflict" });
  await changeAdmin(ctx, { id, active: false });
  await expect(signIn(publicContext(db), { email, password })).rejects.toMatchObject({
    code: "invalid_credentials",
  });
  expect(await db.session.count({ where: { userId: id, revokedAt: null } })).toBe(0);
  expect((await changeAdmin(ctx, { id, active: true })).status).toBe("active");
});

test("the log says what an administrator was before a change, and nothing of one that changed nothing", async () => {
  const admin = await makeAdmin(db, { role: "admin" });
  const ctx = contextOf(db, await makeAdmin(db));
  const { id, firstName } = admin;
  await changeAdmin(ctx, { id, firstName, role: "admin", active: true });
  await changeAdmin(ctx, { id, firstName: "Dana" });
  const entries = (await auditsOf(db, id)).map(({ action, before, after }) => ({ action, before, after }));
  expect(entries).toEqual([{ action: "admin.changed", before: { firstName }, after: { firstName: "Dana" } }]);
});

test("the last active super_admin stays, also when two disable or demote each other at once", async () => {
  for (let round = 0; round < 6; round += 1) {
    await db.user.updateMany({ where: { role: "super_admin" }, data: { status: "disabled" } });
    const [one, other] = [await makeAdmin(db), await makeAdmin(db)];
    const outcomes = await Promise.allSettled([
      changeAdmin(contextOf(db, one), { id: other.id, active: false }),
      changeAdmin(
        contextOf(db, other),
        round % 2 ? { id: one.id, role: "admin" } : { id: one.id, active: false },
      ),
    ]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(outcomes.find((one) => one.status === "rejected")).toMatchObject({
      reason: { code: "last_super_admin" },
    });
    const left = (await listAdmins(contextOf(db, one), {})).filter(
      ({ role, status }) => role === "super_admin" && status === "active",
    );
    expect(left).toHaveLength(1);
  }
});

test("an unknown id is no administrator to change", async () => {
  const ctx = contextOf(db, await makeAdmin(db));
  await expect(changeAdmin(ctx, { id: crypto.randomUUID(), active: false })).rejects.toMatchObject({
    code: "admin_not_found",
  });
});
