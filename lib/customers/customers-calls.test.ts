import { expect, test } from "vitest";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { makeAdmin, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { move } from "@/lib/testing/movements";

const PUT = handlerOf("PUT", "customer-management/{id}");
const GET = handlerOf("GET", "customer-management");

const totals = handlerOf("GET", "customers/totals");

const db = await testDb();

test("customer-management and customers/totals answer in the documented shapes", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop, { fullName: "نورة الهاجري" });
  await move(db, shop, customer, { points: 350 });
  const token = await tokenOf(db, shop.owner);
  expect(await call(GET, { token, query: "?search=نورة&limit=10" })).toMatchObject({
    status: 200,
    data: {
      total: 1,
      customers: [
        {
          _id: customer.id,
          sUUID: customer.publicId,
          sFullName: "نورة الهاجري",
          sBalance: 350,
          sCashValue: "350.00",
        },
      ],
    },
  });
  expect(await call(totals, { token })).toMatchObject({
    status: 200,
    data: [{ iTotalCustomers: 1, sTotalBalance: 350, sTotalCashValue: "350.00", iTopUpsToday: 1 }],
  });
  const edited = await call(PUT, {
    token,
    method: "PUT",
    params: { id: customer.id },
    body: { sPhoneNumber: "٥٥١٢٣٤٥٦", eStatus: "blocked" },
  });
  expect(edited).toMatchObject({ status: 200, data: { sPhoneNumber: "+97455123456", eStatus: "blocked" } });
});

test("invalid input and another merchant's ids get the documented statuses", async () => {
  const [shop, other] = [await makeMerchant(db), await makeMerchant(db)];
  const foreign = await makeCustomer(db, other);
  const token = await tokenOf(db, shop.owner);
  const admin = await tokenOf(db, await makeAdmin(db, { role: "admin" }));
  expect((await call(GET)).status).toBe(401);
  expect((await call(GET, { token: admin })).status).toBe(403);
  expect((await call(totals, { token: admin })).status).toBe(403);
  for (const query of ["?limit=0", "?limit=x", "?page=0", "?eStatus=lost", `?search=${"x".repeat(101)}`]) {
    expect((await call(GET, { token, query })).status).toBe(400);
  }
  const put = (id: string, body: unknown) => call(PUT, { token, method: "PUT", params: { id }, body });
  expect((await put(foreign.id, { sFullName: "Mine now" })).status).toBe(404);
  expect((await put("nothing", {})).status).toBe(404);
  const customer = await makeCustomer(db, shop);
  const email = await put(customer.id, { sFullName: "Changed", sEmail: "other@customer.test" });
  expect(email).toMatchObject({
    status: 400,
    code: "validation",
    errors: [
      {
        path: "sEmail",
        message:
          "The email can't be changed here. The customer changes it from the card, or the owner from the customer's page.",
      },
    ],
  });
  const limits = await call(GET, { token, query: "?limit=0" });
  expect(limits.message).toMatch(/1\D+100$/);
  for (const body of [
    { sPhoneNumber: "123" },
    { dDateOfBirth: "2025-13-01" },
    { eStatus: "erased" },
    { sFullName: "" },
  ]) {
    expect((await put(customer.id, body)).status).toBe(400);
  }
});
