import { describe, expect, test } from "vitest";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, makeMerchant, makeWorker, PASSWORD } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { endOtherSessions, endOwnSession, listSessions } from "./own-sessions";
import { updateProfile } from "./profile";
import { openSession } from "./session";

const login = handlerOf("POST", "auth/login");
const logout = handlerOf("POST", "auth/logout");
const update = handlerOf("PUT", "auth/update-profile");
const getProfile = handlerOf("GET", "profile");

const db = await testDb();

function open(user: { id: string }, userAgent = "Test") {
  return openSession(db, { userId: user.id, userAgent, address: "127.0.0.1", now: new Date() });
}

describe("the account over the API", () => {
  test("login answers a token for the profile with its merchant, and logout ends it", async () => {
    const { owner, merchant } = await makeMerchant(db);
    const body = { sEmail: owner.email.toUpperCase(), sPassword: PASSWORD };
    const signedIn = await call(login, { method: "POST", body });
    expect(signedIn).toMatchObject({
      status: 200,
      data: { user: { _id: owner.id, eRole: "merchant_owner", iMerchantId: merchant.id, eStatus: "A" } },
    });
    const { token } = signedIn.data as { token: string };
    expect(await call(getProfile, { token })).toMatchObject({
      data: { _id: owner.id, merchant: { _id: merchant.id, sBusinessName: merchant.businessName } },
    });
    expect((await call(logout, { method: "POST", token })).status).toBe(200);
    expect(await call(getProfile, { token })).toMatchObject({ status: 417, code: "session_ended" });
  });

  test("no token and a wrong password answer 401, and an administrator has no merchant", async () => {
    const admin = await makeAdmin(db);
    expect((await call(getProfile)).status).toBe(401);
    const wrong = { sEmail: admin.email, sPassword: "not the password" };
    expect(await call(login, { method: "POST", body: wrong })).toMatchObject({
      status: 401,
      code: "invalid_credentials",
    });
    const { data } = await call(getProfile, { token: await tokenOf(db, admin) });
    expect(data).not.toHaveProperty("iMerchantId");
    expect(data).not.toHaveProperty("eStatus");
  });

  test("a profile update uses the API's names and reports invalid fields", async () => {
    const shop = await makeMerchant(db);
    const worker = await makeWorker(db, shop);
    const token = await tokenOf(db, worker);
    const body = { sFirstName: "  Amal ", sPhoneNumber: "٥٥١٢ ٣٤٥٦", sLocale: "ar" };
    expect(await call(update, { method: "PUT", token, body })).toMatchObject({
      status: 200,
      data: { sFirstName: "Amal", sPhoneNumber: "+97455123456", sLocale: "ar", sLastName: worker.lastName },
    });
    const bad = await call(update, { method: "PUT", token, body: { sPhoneNumber: "12", sFirstName: 7 } });
    expect(bad).toMatchObject({ status: 400, code: "validation" });
    expect(bad.errors?.map((problem) => problem.path).sort()).toEqual(["sFirstName", "sPhoneNumber"]);
  });
});

describe("the user's own account", () => {
  test("an owner's name is also the merchant's; owners need a phone, administrators do not", async () => {
    const { owner, merchant } = await makeMerchant(db);
    const ctx = contextOf(db, owner);
    await updateProfile(ctx, { lastName: "Al Kuwari" });
    expect(await db.merchant.findUnique({ where: { id: merchant.id } })).toMatchObject({
      lastName: "Al Kuwari",
    });
    await expect(updateProfile(ctx, { phone: "" })).rejects.toMatchObject({ code: "validation" });
    const admin = await makeAdmin(db);
    expect(await updateProfile(contextOf(db, admin), { phone: "" })).toMatchObject({ phone: null });
  });

  test("a name keeps its letters and joiners, and none of the marks that turn the text around it", async () => {
    const { owner } = await makeMerchant(db);
    const turned = "\u202eOmar\u2069\u2067 \u202bمي\u200cنا\u200f\u202c";
    expect(await updateProfile(contextOf(db, owner), { firstName: turned })).toMatchObject({
      firstName: "Omar مي\u200cنا\u200f",
    });
    const nothing = updateProfile(contextOf(db, owner), { firstName: "\u202e" });
    await expect(nothing).rejects.toMatchObject({ code: "validation" });
  });

  test("users list and end their own live sessions, and no one else's", async () => {
    const { owner } = await makeMerchant(db);
    const other = await makeMerchant(db);
    const [here, phone, desk] = [await open(owner), await open(owner, "Phone"), await open(owner, "Desk")];
    const foreign = await open(other.owner);
    const ctx = contextOf(db, owner, { actor: { sessionId: here.id, handle: here.handle } });
    const listed = await listSessions(ctx, {});
    expect(listed).toHaveLength(3);
    expect(listed[0]).toMatchObject({ handle: here.handle, current: true });
    expect(JSON.stringify(listed)).not.toContain(here.id);

    await endOwnSession(ctx, { handle: phone.handle });
    await endOwnSession(ctx, { handle: phone.handle });
    await expect(endOwnSession(ctx, { handle: foreign.handle })).rejects.toMatchObject({ code: "not_found" });
    expect((await listSessions(ctx, {})).map((session) => session.handle).sort()).toEqual(
      [here.handle, desk.handle].sort(),
    );
    expect(await endOtherSessions(ctx, {})).toEqual({ ended: 1 });
    expect(await listSessions(ctx, {})).toHaveLength(1);
  });
});
