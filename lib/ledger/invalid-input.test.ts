import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Customer, User } from "@/lib/db/generated/client";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import {
  type MerchantFixture,
  makeAdmin,
  makeCustomer,
  makeMerchant,
  makeWorker,
} from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import en from "@/messages/en.json";

const topUp = handlerOf("POST", "top-up-points");

const db = await testDb();
let shop: MerchantFixture;
let other: MerchantFixture;
let worker: User;
let customer: Customer;
let token: string;
let body: Record<string, unknown>;

beforeAll(async () => {
  [shop, other] = await Promise.all([makeMerchant(db), makeMerchant(db)]);
  worker = await makeWorker(db, shop);
  customer = await makeCustomer(db, shop);
  token = await tokenOf(db, worker);
  body = { customerId: customer.publicId, sPoints: 100, iBranchId: shop.branch.id };
});

const post = (options: { body?: unknown; token?: string; headers?: Record<string, string> }) =>
  call(topUp, { method: "POST", token, ...options });
const movementCount = (id = customer.id) => db.movement.count({ where: { customerId: id } });

/** Calls the handler with a raw body. */
async function postRaw(text: string, type: string) {
  const request = new Request("http://localhost:3000/api/top-up-points", {
    method: "POST",
    headers: { authorization: token, "content-type": type },
    body: text,
  });
  const response = await topUp(request, { params: {} });
  return { status: response.status, ...((await response.json()) as object) };
}

describe("invalid input is refused as documented, and nothing is posted", () => {
  test.each<[string, Record<string, unknown>, number, string, string?]>([
    ["no customer", { customerId: undefined }, 400, "validation", "Please choose a customer"],
    ["an empty customer", { customerId: " " }, 400, "validation", "Please choose a customer"],
    ["an empty branch", { iBranchId: "" }, 400, "validation", "Please choose a branch"],
    ["no amount", { sPoints: undefined }, 400, "validation", "Please enter an amount"],
    ["no branch", { iBranchId: undefined }, 400, "validation", "Please choose a branch"],
    ["an amount of another type", { sPoints: true }, 400, "validation", "Please enter an amount"],
    ["an amount in a list", { sPoints: [5] }, 400, "validation", "Please enter an amount"],
    ["a customer of another type", { customerId: 7 }, 400, "validation", "Please choose a customer"],
    ["an id too long", { customerId: "a".repeat(101) }, 400, "validation", "This is too long"],
    ["an amount too long", { sPoints: "9".repeat(101) }, 400, "validation", "This amount is too large"],
    [
      "a decimal",
      { sPoints: 1.5 },
      400,
      "validation",
      "Please enter whole numbers only. Decimal values are not allowed.",
    ],
    [
      "a decimal as text",
      { sPoints: "1.0" },
      400,
      "validation",
      "Please enter whole numbers only. Decimal values are not allowed.",
    ],
    ["an exponent", { sPoints: "1e2" }, 400, "validation"],
    ["a sign", { sPoints: "+5" }, 400, "validation"],
    ["a space inside", { sPoints: "1 000" }, 400, "validation"],
    ["a negative", { sPoints: -5 }, 400, "validation", "Please enter an amount greater than 0"],
    ["zero", { sPoints: 0 }, 400, "validation", "Please enter an amount greater than 0"],
    ["nothing", { sPoints: "" }, 400, "validation", "Please enter an amount"],
    ["more than a number holds", { sPoints: 2 ** 60 }, 400, "validation", "This amount is too large"],
    ["more than the configured maximum", { sPoints: 5001 }, 422, "above_maximum"],
    ["far more than that", { sPoints: 900_000_000_000 }, 422, "above_maximum"],
    ["an unknown customer", { customerId: randomUUID() }, 404, "customer_not_found"],
    ["a customer id of no shape", { customerId: "layla" }, 404, "customer_not_found"],
    ["an unknown branch", { iBranchId: randomUUID() }, 422, "branch_mismatch"],
  ])("%s", async (_name, change, status, code, sentence) => {
    const before = await movementCount();
    const answer = await post({ body: { ...body, ...change } });
    expect(answer).toMatchObject({ status, code });
    if (sentence)
      expect([answer.message, ...(answer.errors ?? [])]).toMatchObject([sentence, { message: sentence }]);
    expect(await movementCount()).toBe(before);
  });

  test("another merchant's customer and branch", async () => {
    const stranger = await makeCustomer(db, other);
    const before = await movementCount();
    expect(await post({ body: { ...body, customerId: stranger.id } })).toMatchObject({
      status: 404,
      code: "customer_not_found",
      message: en.errors.customer_not_found,
    });
    expect(await post({ body: { ...body, iBranchId: other.branch.id } })).toMatchObject({
      status: 422,
      code: "branch_mismatch",
    });
    expect(await post({ body: { ...body, iMerchantId: other.merchant.id } })).toMatchObject({
      status: 422,
      code: "branch_mismatch",
    });
    expect([await movementCount(), await movementCount(stranger.id)]).toEqual([before, 0]);
  });

  test.each([
    ["broken JSON", "{", "application/json", 400, "malformed"],
    ["JSON that is no object", "[1]", "application/json", 400, "malformed"],
    ["another content type", "customerId=1", "application/x-www-form-urlencoded", 415, "unsupported_type"],
    ["too much", JSON.stringify({ fill: "x".repeat(70_000) }), "application/json", 413, "too_large"],
  ])("%s", async (_name, text, type, status, code) => {
    const before = await movementCount();
    expect(await postRaw(text, type)).toMatchObject({ status, code });
    expect(await movementCount()).toBe(before);
  });

  test("a missing token, an administrator's token, an idempotency key of 201 characters", async () => {
    const admin = await tokenOf(db, await makeAdmin(db, { role: "admin" }));
    expect(await post({ body, token: "" })).toMatchObject({ status: 401, code: "unauthenticated" });
    expect(await post({ body, token: admin })).toMatchObject({ status: 403, code: "forbidden" });
    const headers = { "Idempotency-Key": "k".repeat(201) };
    expect(await post({ body, headers })).toMatchObject({
      status: 400,
      code: "validation",
      message: "The idempotency key must have 1 to 200 plain characters",
    });
  });
});
