/**
 * The examples of the guide for developers, in order: the guide shows each text, and a journey runs all of them as one module
 * against the built program. The environment gives WALLET_URL, WALLET_KEY, and WALLET_CARD, the text of a card's QR code.
 */
export const EXAMPLES = {
  client: `const { WALLET_URL, WALLET_KEY, WALLET_CARD } = process.env;

async function wallet(method, path, body, idempotencyKey) {
  const response = await fetch(WALLET_URL + "/api/" + path, {
    method,
    headers: {
      authorization: "Bearer " + WALLET_KEY,
      "content-type": "application/json",
      ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  });
  const { data, code, message } = await response.json();
  if (response.ok) return data;
  throw Object.assign(new Error(message), { code, status: response.status });
}`,
  first: `const me = await wallet("GET", "profile");
const branch = me.branches[0]._id;
console.log(me.sName, me.aScopes);`,
  find: `const card = await wallet("POST", "customers/find", { sCode: WALLET_CARD });
console.log(card.sFullName, card.iAvailable);`,
  topup: `const sale = crypto.randomUUID();
const order = {
  customerId: card._id,
  sPoints: 100,
  iBranchId: branch,
  eTender: "online",
  sSaleRef: "ORDER-1001",
};
const paid = await wallet("POST", "top-up-points", order, sale);
console.log(paid.sBalance, paid.sCashValue);`,
  again: `const same = await wallet("POST", "top-up-points", order, sale);
console.log(same._id === paid._id);`,
  hold: `const reserve = crypto.randomUUID();
const hold = await wallet("POST", "holds", {
  customerId: card._id,
  iBranchId: branch,
  iPoints: 40,
  iSeconds: 600,
  sSaleRef: "ORDER-1002",
}, reserve);
console.log(hold.eState, hold.sBalance, hold.iAvailable);`,
  capture: `const capture = crypto.randomUUID();
const taken = await wallet("POST", "holds/" + hold._id + "/capture", { iPoints: 25 }, capture);
console.log(taken.sPoints, taken.hold.eState, taken.sBalance);`,
  lost: `const lost = await wallet("POST", "reversals", { sIdempotencyKey: capture });
console.log(lost.eResult);`,
  errors: `try {
  await wallet("POST", "top-up-points", { ...order, sPoints: 0 }, crypto.randomUUID());
} catch (error) {
  console.log(error.status, error.code, error.message);
}`,
  log: `const log = await wallet("GET", "transactions?limit=20");
for (const { eType, sPoints, dCreatedAt } of log.results) console.log(eType, sPoints, dCreatedAt);`,
} as const;
