import { describe, expect, test } from "vitest";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeBranch,
  makeCustomer,
  makeMerchant,
  makeWorker,
  PASSWORD,
} from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { makePinCounter, PIN, signInByPin } from "@/lib/testing/pins";
import { makeTill, proofOf } from "@/lib/testing/tills";
import { isWeakPin } from "@/lib/tills/model/till";
import { updateTill } from "@/lib/tills/tills";
import { setPin } from "./pin";

const changePassword = handlerOf("PUT", "auth/change-password");
const signOut = handlerOf("POST", "auth/logout");
const setPinCall = handlerOf("PUT", "auth/pin");
const signInCall = handlerOf("POST", "auth/pin");
const profile = handlerOf("GET", "profile");
const topUp = handlerOf("POST", "top-up-points");
const exportCsv = handlerOf("GET", "transactions/export");

const db = await testDb();
const WRONG = "739105";

describe("a PIN", () => {
  test("is set with the password, by workers, and is none of those that anybody guesses", async () => {
    const shop = await makeMerchant(db);
    const worker = await makeWorker(db, shop);
    const token = await tokenOf(db, worker);
    const put = (sPin: string, sPassword = PASSWORD) =>
      call(setPinCall, { method: "PUT", token, body: { sPassword, sPin } });
    expect(await put("58031")).toMatchObject({ status: 400, code: "validation" });
    expect(await put("123456")).toMatchObject({ status: 422, code: "weak_pin" });
    expect(await put(PIN, "another password")).toMatchObject({ status: 422, code: "wrong_password" });
    expect(await put("٥٨٠٣١٤")).toMatchObject({ status: 200 });
    const { pinHash } = await db.workerPin.findUniqueOrThrow({ where: { userId: worker.id } });
    expect(pinHash).toMatch(/^\$argon2id\$/);
    const owner = {
      method: "PUT",
      token: await tokenOf(db, shop.owner),
      body: { sPassword: PASSWORD, sPin: PIN },
    };
    expect(await call(setPinCall, owner)).toMatchObject({ status: 403 });
    for (const weak of ["000000", "111111", "123456", "654321", "012345", "121212", "123123", "112233"])
      expect(isWeakPin(weak), weak).toBe(true);
    for (const fine of [PIN, WRONG, "402917"]) expect(isWeakPin(fine), fine).toBe(false);
  });

  test("signs in on the branch's till only, with the till's proof", async () => {
    const { shop, worker, key } = await makePinCounter(db);
    const answer = await signInByPin(key, worker.id, PIN);
    expect(answer).toMatchObject({ status: 200, data: { user: { _id: worker.id } } });
    // Each session has a key of its own for what it keeps without a connection.
    const { sEntryKey } = answer.data as { sEntryKey: string };
    expect(Buffer.from(sEntryKey, "base64url")).toHaveLength(32);
    const next = await signInByPin(key, worker.id, PIN);
    expect((next.data as { sEntryKey: string }).sEntryKey).not.toBe(sEntryKey);
    const body = { iWorkerId: worker.id, sPin: PIN };
    expect(await call(signInCall, { method: "POST", body })).toMatchObject({
      status: 401,
      code: "invalid_dpop_proof",
    });
    const other = await makeTill(db, { ...shop, branch: await makeBranch(db, shop) });
    expect(await signInByPin(other.key, worker.id, PIN)).toMatchObject({
      status: 401,
      code: "wrong_pin",
    });
    const stranger = await makeTill(db, await makeMerchant(db));
    expect(await signInByPin(stranger.key, worker.id, PIN)).toMatchObject({ status: 401 });
    await db.user.update({ where: { id: worker.id }, data: { status: "disabled" } });
    expect(await signInByPin(key, worker.id, PIN)).toMatchObject({ status: 401, code: "wrong_pin" });
  });
});

describe("a session that a PIN opened", () => {
  test("is good with its till's proof only, and only serves", async () => {
    const { shop, worker, till, key } = await makePinCounter(db);
    const customer = await makeCustomer(db, shop);
    const { token } = (await signInByPin(key, worker.id, PIN)).data as { token: string };
    const body = { customerId: customer.id, sPoints: 5, iBranchId: shop.branch.id };
    const at = { method: "POST", token, body };
    const refused = { status: 401, code: "invalid_dpop_proof" };
    expect(await call(topUp, at)).toMatchObject(refused);
    const neighbour = await makeTill(db, shop);
    expect(await call(topUp, { ...at, headers: await proofOf(neighbour.key, at) })).toMatchObject(refused);
    const unbound = await proofOf(key, { method: "POST", body });
    expect(await call(topUp, { ...at, headers: unbound })).toMatchObject(refused);
    expect(await call(topUp, { ...at, headers: await proofOf(key, at) })).toMatchObject({
      status: 200,
      data: { till: { _id: till.id }, actor: { _id: worker.id } },
    });
    const get = { token };
    for (const handler of [profile, exportCsv]) {
      expect(await call(handler, { ...get, headers: await proofOf(key, get) })).toMatchObject({
        status: 403,
      });
    }
    const change = {
      method: "PUT",
      token,
      body: { sOldPassword: PASSWORD, sNewPassword: "a long new password" },
    };
    expect(await call(changePassword, { ...change, headers: await proofOf(key, change) })).toMatchObject({
      status: 403,
    });
    const pin = { method: "PUT", token, body: { sPassword: PASSWORD, sPin: WRONG } };
    expect(await call(setPinCall, { ...pin, headers: await proofOf(key, pin) })).toMatchObject({
      status: 403,
    });
    const out = { method: "POST", token };
    expect(await call(signOut, { ...out, headers: await proofOf(key, out) })).toMatchObject({ status: 200 });
  });
});

describe("guesses", () => {
  const mailsTo = (recipient: string) =>
    db.email.count({ where: { recipient, subject: { contains: "PIN" } } });

  test("forty at once have five tries; then the right PIN is refused too, and the owner is mailed once", async () => {
    const { shop, worker, till, key } = await makePinCounter(db);
    const answers = await Promise.all(Array.from({ length: 40 }, () => signInByPin(key, worker.id, WRONG)));
    const of = (status: number) => answers.filter((one) => one.status === status).length;
    expect([of(401), of(429)]).toEqual([5, 35]);
    const body = { iWorkerId: worker.id, sPin: PIN };
    const headers = { "content-type": "application/json", ...(await proofOf(key, { method: "POST", body })) };
    const request = new Request("http://localhost:3000/api/test", {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    const right = await signInCall(request, { params: {} });
    expect(right.status).toBe(429);
    expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(890);
    expect(await mailsTo(shop.owner.email)).toBe(1);
    // Elsewhere the worker still signs in, and a colleague here.
    const other = await makeTill(db, shop);
    expect(await signInByPin(other.key, worker.id, PIN)).toMatchObject({ status: 200 });
    const colleague = await makeWorker(db, shop);
    await setPin(contextOf(db, colleague), { password: PASSWORD, pin: PIN });
    expect(await signInByPin(key, colleague.id, PIN)).toMatchObject({ status: 200 });
    const past = new Date(Date.now() - 1000);
    await db.pinTries.updateMany({ where: { tillId: till.id }, data: { lockedUntil: past } });
    expect(await signInByPin(key, worker.id, PIN)).toMatchObject({ status: 200 });
  });

  test("a right PIN begins the count anew", async () => {
    const { worker, key } = await makePinCounter(db);
    for (const pin of [WRONG, WRONG, WRONG, WRONG, PIN, WRONG, WRONG, WRONG, WRONG]) {
      expect((await signInByPin(key, worker.id, pin)).status).toBe(pin === PIN ? 200 : 401);
    }
    expect((await signInByPin(key, worker.id, PIN)).status).toBe(200);
  });

  test("twenty on a till in an hour end PIN sign-in there until the owner opens it", async () => {
    const { shop, worker, till, key } = await makePinCounter(db);
    const others = await Promise.all(Array.from({ length: 6 }, () => makeWorker(db, shop)));
    const guesses = Array.from({ length: 200 }, (_, n) => signInByPin(key, others[n % 6]?.id ?? "", WRONG));
    const answers = await Promise.all(guesses);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(180);
    expect(await signInByPin(key, worker.id, PIN)).toMatchObject({ status: 429 });
    expect((await db.till.findUniqueOrThrow({ where: { id: till.id } })).pinLockedAt).not.toBeNull();
    expect(
      await db.email.count({
        where: { recipient: shop.owner.email, subject: { contains: "sign-in is locked" } },
      }),
    ).toBe(1);
    await updateTill(contextOf(db, shop.owner), { id: till.id, pinLocked: false });
    expect(await signInByPin(key, worker.id, PIN)).toMatchObject({ status: 200 });
  });

  test("of unknown workers count too", async () => {
    const { worker, key } = await makePinCounter(db);
    const nobody = "00000000-0000-4000-8000-000000000000";
    const answers = await Promise.all(Array.from({ length: 25 }, () => signInByPin(key, nobody, WRONG)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(20);
    expect(await signInByPin(key, worker.id, PIN)).toMatchObject({ status: 429 });
  });
});
