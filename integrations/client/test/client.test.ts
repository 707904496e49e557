import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { createWallet } from "../src/wallet.ts";

const { WALLET_URL = "", WALLET_KEY = "", WALLET_CARD = "" } = process.env;
const wallet = createWallet({ url: WALLET_URL, key: WALLET_KEY });

/** Finds the card of this run and the first branch of its shop. */
async function begin() {
  const me = await wallet.GET("/profile");
  const found = await wallet.POST("/customers/find", { body: { sCode: WALLET_CARD } });
  assert.ok(found.data, JSON.stringify(found.error));
  return { profile: me.data?.data, card: found.data.data };
}

test("a stranger's first calls: find a card, top it up once, and give it up", async () => {
  const { card, profile } = await begin();
  assert.ok(profile && "branches" in profile);
  const iBranchId = profile.branches[0]?._id ?? "";
  const sale = randomUUID();
  const topUp = () =>
    wallet.POST("/top-up-points", {
      params: { header: { "Idempotency-Key": sale } },
      body: { customerId: card._id, sPoints: 25, iBranchId, eTender: "online" },
    });
  const [first, again] = [await topUp(), await topUp()];
  assert.equal(first.data?.data.sPoints, 25);
  assert.equal(again.data?.data._id, first.data?.data._id);
  assert.equal(again.response.headers.get("idempotency-replayed"), "true");
  const undone = await wallet.POST("/reversals", { body: { sIdempotencyKey: sale } });
  assert.equal(undone.data?.data.eResult, "reversed");
  const after = await begin();
  assert.equal(after.card.sBalance, card.sBalance);
});

test("a refusal has a type: its code says why", async () => {
  const refused = await wallet.POST("/customers/find", { body: { sCode: randomUUID() } });
  assert.equal(refused.data, undefined);
  assert.equal(refused.response.status, 404);
  assert.equal(refused.error?.code, "customer_not_found");
});

test("every answer says how many requests are left", async () => {
  const { response } = await wallet.GET("/profile");
  assert.match(response.headers.get("ratelimit") ?? "", /r=\d+/);
  assert.ok(response.headers.get("x-request-id"));
});
