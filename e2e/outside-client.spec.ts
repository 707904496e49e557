import { randomUUID } from "node:crypto";
import { makeAdmin, PASSWORD, uniqueEmail } from "@/lib/testing/factories";
import { lastCode, lastLink } from "./support/mailbox";
import { expect, test } from "./support/test";

type Answer<T> = { status: number; message: string; data: T; code?: string };
type Movement = {
  _id: string;
  eType: string;
  sPoints: number;
  sBalance: number;
  sCashValue: string;
  undoUntil: string | null;
};

/** A client that knows only the specification's table of calls, and no code of this program. */
function client(base: string) {
  let token = "";
  async function call<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${base}/api/${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token ? { authorization: token } : {}),
        "ngrok-skip-browser-warning": "true",
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { http: response.status, headers: response.headers, ...((await response.json()) as Answer<T>) };
  }
  return {
    call,
    async ok<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T> {
      const answer = await call<T>(method, path, body, headers);
      expect(answer, `${method} ${path}: ${answer.message}`).toMatchObject({ http: 200, status: 200 });
      return answer.data;
    },
    async login(sEmail: string, sPassword: string) {
      token = (await this.ok<{ token: string }>("POST", "auth/login", { sEmail, sPassword })).token;
    },
  };
}

test("an outside client signs up, tops up, redeems and reads totals over the API", async ({
  db,
  baseURL,
}) => {
  const base = baseURL ?? "";
  const [owner, worker, admin, customer] = [client(base), client(base), client(base), client(base)];
  const emails = {
    owner: uniqueEmail("owner"),
    worker: uniqueEmail("worker"),
    customer: uniqueEmail("dana"),
  };

  // A one-line body is not compressed: that would cost more than the rest of the answer.
  expect((await owner.call("GET", "health")).headers.get("content-encoding")).toBeNull();

  // A merchant signs up and is approved.
  expect(await owner.ok("POST", "auth/merchant/email-exist", { sEmail: emails.owner })).toEqual({
    exists: false,
  });
  const signedUp = await owner.ok<{ _id: string; eStatus: string }>("POST", "auth/merchant/signup", {
    sBusinessName: "Souq Dates",
    sFirstName: "Hamad",
    sLastName: "Al Kuwari",
    sEmail: emails.owner,
    sPhoneNumber: "55123456",
    sPassword: PASSWORD,
    branch: { sBranchName: "Souq Waqif", sCity: "Doha" },
  });
  expect(signedUp.eStatus).toBe("P");
  await owner.login(emails.owner, PASSWORD);
  expect(await owner.call("GET", "branches")).toMatchObject({
    http: 403,
    status: 403,
    code: "merchant_pending",
  });
  await admin.login((await makeAdmin(db, { role: "admin" })).email, PASSWORD);
  await admin.ok("PUT", `merchants/${signedUp._id}/approval`, { eStatus: "A" });

  // The merchant adds a branch and a worker, who sets a password with the mailed link.
  const branch = await owner.ok<{ _id: string }>("POST", "branches", {
    sBranchName: "Lusail",
    sCity: "Lusail",
  });
  await owner.ok("POST", "workers", {
    sFirstName: "Anil",
    sLastName: "Kumar",
    sEmail: emails.worker,
    sPhoneNumber: "+974 6612 3456",
    iBranchId: branch._id,
  });
  const sToken = (await lastLink(emails.worker)).split("/").at(-1);
  await worker.ok("POST", "auth/reset-password", { sToken, sPassword: PASSWORD });
  await worker.login(emails.worker, PASSWORD);

  // A customer verifies an e-mail address and registers.
  const otp = { sType: "EMAIL", sAuth: "REGISTER", sLogin: emails.customer };
  await customer.ok("POST", "auth/send-otp", otp);
  const sCode = await lastCode(emails.customer);
  const { sVerification } = await customer.ok<{ sVerification: string }>("POST", "auth/verify-otp", {
    ...otp,
    sCode,
  });
  const registered = await customer.ok<{ _id: string }>("POST", "customers/register", {
    sFullName: "Dana Al Marri",
    sEmail: emails.customer,
    sPhoneNumber: "974 3312 3456",
    dDateOfBirth: "1994-02-11",
    iMerchantId: signedUp._id,
    sVerification,
  });

  // The worker finds the customer, tops up, redeems and reverses the redemption.
  const found = await worker.ok<{ _id: string; sUUID: string; sBalance: number }[]>(
    "GET",
    `top-up-points/search-customers?search=${encodeURIComponent("dana al")}`,
  );
  const [card] = found;
  expect(found).toMatchObject([{ _id: card?.sUUID, sBalance: 0 }]);
  expect(card?._id).not.toBe(registered._id);
  const { merchants } = await worker.ok<{ merchants: { _id: string; branches: { _id: string }[] }[] }>(
    "POST",
    "merchants-customer",
    { sEmail: emails.customer },
  );
  expect(merchants[0]?.branches.map(({ _id }) => _id)).toContain(branch._id);
  expect(
    await worker.ok("POST", "customers/exists", { customerId: card?.sUUID, merchantId: signedUp._id }),
  ).toMatchObject({
    exists: true,
  });
  const money = (sPoints: unknown) => ({ customerId: card?.sUUID, sPoints, iBranchId: branch._id });
  const key = { "Idempotency-Key": randomUUID() };
  const added = await worker.ok<Movement>("POST", "top-up-points", money("١٠٠"), key);
  expect(added).toMatchObject({ eType: "TOP_UP", sPoints: 100, sBalance: 100, sCashValue: "100.00" });
  const again = await worker.call<Movement>("POST", "top-up-points", money("١٠٠"), key);
  expect([again.data._id, again.headers.get("idempotency-replayed")]).toEqual([added._id, "true"]);
  expect(await worker.call("POST", "top-up-points", money(101), key)).toMatchObject({
    http: 422,
    code: "key_reused",
  });
  const redeemed = await worker.ok<Movement>("POST", "redeem-points", money(30));
  expect(redeemed).toMatchObject({ eType: "REDEEM", sBalance: 70 });
  expect(await worker.call("POST", "redeem-points", money(71))).toMatchObject({
    http: 422,
    code: "insufficient_balance",
  });
  const undone = await worker.ok<Movement>("POST", `transactions/${redeemed._id}/reverse`, {});
  expect(undone).toMatchObject({ eType: "REVERSAL", sBalance: 100 });
  const undoneAgain = await worker.ok<Movement>("POST", `transactions/${redeemed._id}/reverse`, {});
  expect(undoneAgain._id).toBe(undone._id);
  const recent = await worker.ok<{ results: { _id: string }[] }>("GET", "recent-top-ups");
  expect(recent.results.map(({ _id }) => _id)).toContain(added._id);

  // The owner reads totals, the customer and the transactions.
  const [totals] = await owner.ok<Record<string, unknown>[]>("GET", "customers/totals");
  expect(Object.values(totals ?? {})).toEqual(expect.arrayContaining([1, 100, "100.00"]));
  expect(await owner.ok("GET", `customer-management/view/${card?.sUUID}`)).toMatchObject({
    _id: registered._id,
    sFullName: "Dana Al Marri",
    sBalance: 100,
    sCashValue: "100.00",
    iMerchantId: { _id: signedUp._id, sBusinessName: "Souq Dates" },
  });
  const listed = await owner.ok<{ customers: unknown[]; total: number }>(
    "GET",
    "customer-management?search=dana",
  );
  expect([listed.customers.length, listed.total]).toEqual([1, 1]);
  const log = await owner.ok<{ results: Movement[]; nextCursor: string | null }>(
    "GET",
    "transactions?limit=2",
  );
  expect(log.results.map(({ eType }) => eType)).toEqual(["REVERSAL", "REDEEM"]);
  const rest = await owner.ok<{ results: Movement[] }>(
    "GET",
    `transactions?limit=2&cursor=${log.nextCursor}`,
  );
  expect(rest.results.map(({ _id }) => _id)).toEqual([added._id]);
  const row = await db.customer.findUniqueOrThrow({
    where: { id: registered._id },
    select: { balance: true },
  });
  expect(row.balance).toBe(100);

  // Sign-out ends the session: its token is answered 417 from now on, an unknown token 401.
  await worker.ok("POST", "auth/logout", {});
  expect(await worker.call("GET", "profile")).toMatchObject({
    http: 417,
    status: 417,
    code: "session_ended",
  });
  expect(await owner.call("GET", "profile", undefined, { authorization: "nonsense" })).toMatchObject({
    http: 401,
  });
});
