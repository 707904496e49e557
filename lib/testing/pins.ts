import { setPin } from "@/lib/accounts/pin";
import type { Db } from "@/lib/db/client";
import { handlerOf } from "@/lib/testing/handlers";
import { call } from "./calls";
import { contextOf, makeMerchant, makeWorker, PASSWORD } from "./factories";
import { makeTill, proofOf, type TillKey } from "./tills";

const signInCall = handlerOf("POST", "auth/pin");

/** The PIN of a worker of these fixtures. */
export const PIN = "580314";

/** A merchant with a till and a worker who has a PIN. */
export async function makePinCounter(db: Db) {
  const shop = await makeMerchant(db);
  const worker = await makeWorker(db, shop);
  await setPin(contextOf(db, worker), { password: PASSWORD, pin: PIN });
  return { shop, worker, ...(await makeTill(db, shop)) };
}

/** Signs a worker in by PIN over the API, with the proof of the till that has this key. */
export async function signInByPin(key: TillKey, workerId: string, pin: string) {
  const body = { iWorkerId: workerId, sPin: pin };
  return call(signInCall, { method: "POST", body, headers: await proofOf(key, { method: "POST", body }) });
}
