import { expect, test } from "vitest";
import { POST as signInCall } from "@/app/api/auth/pin/route";
import { call } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeMerchant, makeWorker, PASSWORD } from "@/lib/testing/factories";
import { makeTill, proofOf, type TillKey } from "@/lib/testing/tills";
import { setPin } from "./pin";

const db = await testDb();
const PIN = "580314";

async function counter() {
  const shop = await makeMerchant(db);
  const worker = await makeWorker(db, shop);
  await setPin(contextOf(db, worker), { password: PASSWORD, pin: PIN });
  return { shop, worker, ...(await makeTill(db, shop)) };
}

async function signIn(key: TillKey, workerId: string, pin: string) {
  const body = { iWorkerId: workerId, sPin: pin };
  return call(signInCall, { method: "POST", body, headers: await proofOf(key, { method: "POST", body }) });
}

test("right PINs of several workers at once on one till all sign in", async () => {
  const { shop, worker, key } = await counter();
  const colleagues = await Promise.all(Array.from({ length: 5 }, () => makeWorker(db, shop)));
  for (const one of colleagues) await setPin(contextOf(db, one), { password: PASSWORD, pin: PIN });
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([worker, ...colleagues].map(({ id }) => signIn(key, id, PIN)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  }
});
