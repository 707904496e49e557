import { expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { makeMerchant, uniqueEmail } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";

const sendOtp = handlerOf("POST", "auth/send-otp");
const verifyOtp = handlerOf("POST", "auth/verify-otp");
const balance = handlerOf("GET", "customer/{id}/balance");
const myData = handlerOf("GET", "customer/{id}/my-data");
const register = handlerOf("POST", "customers/register");

const db = await testDb();
const { merchant } = await makeMerchant(db);
const channel = { sType: "EMAIL", sAuth: "REGISTER" };

type Handler = typeof register;

async function post(handler: Handler, body: unknown, headers: Record<string, string> = {}) {
  const request = new Request("http://localhost:3000/api", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const response = await handler(request, { params: {} });
  return { response, answer: await response.json(), cookies: response.headers.getSetCookie() };
}

const get = (handler: Handler, id: string, cookie = "") =>
  handler(new Request("http://localhost:3000/api", { headers: { cookie } }), {
    params: { id },
  });

async function verified(email: string) {
  expect((await post(sendOtp, { ...channel, sLogin: email })).response.status).toBe(200);
  const mail = await db.email.findFirstOrThrow({
    where: { recipient: email },
    orderBy: { createdAt: "desc" },
  });
  const sCode = /\b\d{6}\b/.exec(mail.text)?.[0];
  return post(verifyOtp, { ...channel, sLogin: email.toUpperCase(), sCode });
}

const person = (sEmail: string) => ({
  sFullName: "Layla Haddad",
  sEmail,
  sPhoneNumber: "٥٥١٢ ٣٤٥٦",
  dDateOfBirth: "1995-04-12",
  iMerchantId: merchant.id,
});

const pairOf = (line: string | undefined) => line?.split(";")[0] ?? "";

test("a client with cookies signs up and gets the card holder's cookie", async () => {
  const email = uniqueEmail();
  const proof = await verified(email);
  expect(proof.answer).toMatchObject({
    status: 200,
    message: "Email verified successfully.",
    data: { sVerification: expect.any(String) },
  });
  expect(proof.cookies[0]).toMatch(/HttpOnly; SameSite=Lax/);
  const { answer, cookies } = await post(register, person(email), { cookie: pairOf(proof.cookies[0]) });
  expect(answer).toMatchObject({
    status: 200,
    message: "Registration completed successfully.",
    data: { _id: expect.any(String), isNewRegistration: true },
  });
  const id = answer.data._id as string;
  const holder = pairOf(cookies.find((line) => line.startsWith("wallet_card_")));
  const stranger = (await (await get(balance, id)).json()).data;
  expect(stranger).toMatchObject({ sBalance: 0, sCashValue: "0.00", eStatus: "active", sLiveQRCode: null });
  const own = (await (await get(balance, id, holder)).json()).data;
  expect(own.sLiveQRCode).toMatch(/^data:image\/svg\+xml/);
  expect((await get(myData, id)).status).toBe(403);
  expect((await get(myData, id, holder)).status).toBe(200);
});

test("a client without cookies sends sVerification; signing up again answers the same card", async () => {
  const email = uniqueEmail();
  const first = await verified(email);
  const body = { ...person(email), sVerification: first.answer.data.sVerification };
  const card = await post(register, body);
  expect((await post(register, body)).answer).toMatchObject({ status: 403, code: "verification_required" });
  const second = await verified(email);
  const again = await post(register, { ...body, sVerification: second.answer.data.sVerification });
  expect(again.answer.data).toEqual({ _id: card.answer.data._id, isNewRegistration: false });
});

test("a wrong code is refused with the specification's message", async () => {
  const { answer } = await post(verifyOtp, { ...channel, sLogin: uniqueEmail(), sCode: "000000" });
  expect(answer).toEqual({ status: 400, message: "Invalid OTP. Please try again", code: "code_invalid" });
});

test.each([
  [sendOtp, {}],
  [sendOtp, { ...channel, sLogin: "no e-mail" }],
  [sendOtp, { ...channel, sType: "SMS", sLogin: "a@b.co" }],
  [sendOtp, { ...channel, sLogin: `${"a".repeat(300)}@b.co` }],
  [verifyOtp, { ...channel, sLogin: "a@b.co", sCode: "12345" }],
  [verifyOtp, { ...channel, sLogin: "a@b.co", sCode: 123456 }],
  [register, { ...person("a@b.co"), sPhoneNumber: "12" }],
  [register, { ...person("a@b.co"), dDateOfBirth: "2001-02-29" }],
  [register, { ...person("a@b.co"), dDateOfBirth: "2999-01-01" }],
  [register, { ...person("a@b.co"), sFullName: "" }],
  [register, "{"],
])("invalid input is a 400: %#", async (handler, body) => {
  const { answer } = await post(handler, body);
  expect(answer.status).toBe(400);
});

test("a refused consent is refused; a missing one is not asked for on the API", async () => {
  const email = uniqueEmail();
  const proof = await verified(email);
  const { sVerification } = proof.answer.data;
  const refused = await post(register, { ...person(email), sVerification, bConsent: false });
  expect(refused.answer).toMatchObject({ status: 400, code: "validation", errors: [{ path: "bConsent" }] });
  expect((await post(register, { ...person(email), sVerification })).answer.status).toBe(200);
});
