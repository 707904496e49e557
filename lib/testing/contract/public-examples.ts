import { createHash } from "node:crypto";
import { TOTP } from "otpauth";
import { expect } from "vitest";
import { confirmTotp, startTotp } from "@/lib/accounts/factors/manage";
import { forgotPassword, mailReset } from "@/lib/accounts/set-password";
import { signIn } from "@/lib/accounts/sign-in";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { registerCustomer, sendCode, verifyCode } from "@/lib/cards/sign-up";
import type { DomainError } from "@/lib/domain/errors";
import { importImage } from "@/lib/files/attach";
import { createUpload } from "@/lib/files/uploads";
import { issuePass } from "@/lib/passes/pass-card";
import { cookieLine, holderCookie } from "@/lib/secrets/cookies";
import { contextOf, PASSWORD, publicContext, uniqueEmail } from "../factories";
import { runJobs } from "../jobs";
import { picture } from "../upload-journey";
import { newAddress } from "./exchange";
import { PUBLIC_TILL_EXAMPLES } from "./till-examples";
import type { Examples, World } from "./world";

export const CRON_SECRET = "a cron secret for tests only";
const PASS_TYPE = "pass.test.loyalty-wallet";
const text = expect.any(String);
const channel = { sType: "EMAIL", sAuth: "REGISTER" };
const stranger = ({ db }: World) => publicContext(db, { address: newAddress() });

async function mailedCode(world: World): Promise<{ email: string; code: string }> {
  const email = uniqueEmail("card");
  await sendCode(stranger(world), { email });
  return { email, code: /\b\d{6}\b/.exec(await world.mail(email))?.[0] ?? "" };
}

async function verified(world: World) {
  const { email, code } = await mailedCode(world);
  const { verification } = await verifyCode(stranger(world), { email, code });
  return {
    email,
    verification,
    body: {
      sFullName: "ليلى حداد",
      sEmail: email,
      sPhoneNumber: "5512 3456",
      dDateOfBirth: "1995-04-12",
      iMerchantId: world.shop.merchant.id,
      sVerification: verification,
    },
  };
}

async function device(world: World) {
  const { id } = await world.customer();
  const { serial } = await issuePass(world.db, id);
  const { authToken } = await world.db.pass.findUniqueOrThrow({ where: { serial } });
  return {
    params: { device: createHash("sha256").update(serial).digest("hex"), passType: PASS_TYPE, serial },
    headers: { authorization: `ApplePass ${authToken}` },
  };
}

async function registered(world: World) {
  const example = await device(world);
  const { device: deviceId, serial } = example.params;
  await world.db.passRegistration.create({ data: { deviceId, serial, pushToken: "a push token" } });
  return example;
}

async function uploadUrl(world: World) {
  const input = { fileName: "a.jpg", contentType: "image/jpeg", fileCategory: "image" as const };
  const { presignedUrl } = await createUpload(stranger(world), input);
  return decodeURIComponent(new URL(presignedUrl).pathname.split("/").at(-1) ?? "");
}

const REGISTRATION = "/wallet/v1/devices/{device}/registrations/{passType}";

/** Examples of the calls that need no session. */
export const PUBLIC_EXAMPLES: Examples = {
  "post /api-keys/revoke-leaked": async ({ db, users }) => {
    const key = { name: "Leaked", scopes: ["topup" as const] };
    return { body: { sKey: (await createApiKey(contextOf(db, users.owner), key)).secret } };
  },
  "get /health": () => ({ data: { alive: true } }),
  "get /ready": () => ({ data: { ready: true } }),
  "get /openapi.json": () => ({}),
  "get /cron": () => ({ headers: { authorization: `Bearer ${CRON_SECRET}` }, data: { done: true } }),
  "post /auth/login": ({ users }) => ({
    body: { sEmail: users.owner.email.toUpperCase(), sPassword: PASSWORD },
    data: { token: text, user: { _id: users.owner.id, eRole: "merchant_owner", merchant: { _id: text } } },
  }),
  "post /auth/passkey-options": () => ({ data: { sChallenge: text, aMethods: ["passkey"] } }),
  "post /auth/second-factor": async (world) => {
    const user = await world.worker();
    // A step earlier, by a clock that stands still: no step ends between the code and its check.
    const before = new Date(Date.now() - 30_000);
    const ctx = contextOf(world.db, user, { clock: () => before });
    const { uri } = await startTotp(ctx, {});
    const app = new TOTP({ secret: new URL(uri).searchParams.get("secret") ?? "" });
    await confirmTotp(ctx, { code: app.generate({ timestamp: before.getTime() }) });
    const signingIn = signIn(stranger(world), { email: user.email, password: PASSWORD });
    const refused = (await signingIn.catch((error: unknown) => error)) as DomainError;
    const body = { sChallenge: refused.data?.challenge, sCode: app.generate() };
    return { body, data: { token: text, user: { _id: user.id } } };
  },
  "post /auth/forgot-password": ({ users }) => ({ body: { sEmail: users.neighbour.email } }),
  "post /auth/reset-password": async (world) => {
    const { email } = await world.worker();
    await forgotPassword(stranger(world), { email });
    await runJobs(world.db, { mail_reset: mailReset });
    const sToken = /\/reset-password\/([\w-]+)/.exec(await world.mail(email))?.[1];
    return { body: { sToken, sPassword: "a long new password" } };
  },
  "post /auth/send-otp": ({ shop }) => ({
    body: { ...channel, sLogin: uniqueEmail(), iMerchantId: shop.merchant.id },
    data: { iSeconds: 300 },
  }),
  "post /auth/verify-otp": async (world) => {
    const { email, code } = await mailedCode(world);
    return { body: { ...channel, sLogin: email, sCode: code }, data: { sVerification: text } };
  },
  "post /customers/register": async (world) => ({
    body: (await verified(world)).body,
    data: { _id: text, isNewRegistration: true },
  }),
  "post /customer-exist": async ({ customer, shop }) => ({
    body: { sEmail: (await customer(0)).email, iMerchantId: shop.merchant.id },
    data: { exists: true },
  }),
  "post /auth/merchant/email-exist": ({ users }) => ({
    body: { sEmail: users.owner.email },
    data: { exists: true },
  }),
  "post /auth/merchant/signup": () => ({
    body: {
      sBusinessName: "كرك هاوس",
      sBusinessNameAr: "كرك هاوس",
      sFirstName: "Noora",
      sLastName: "Al-Kuwari",
      sEmail: uniqueEmail("merchant"),
      sPhoneNumber: "+974 ٥٥١٢ ٣٤٥٦",
      sPassword: "a long new password",
      branch: { sBranchName: "The Pearl", sCity: "Doha" },
    },
    data: { _id: text, eStatus: "P" },
  }),
  "post /auth/merchant/upload-url": () => ({
    body: { fileName: "front.png", contentType: "image/png", fileCategory: "image" },
    data: { presignedUrl: text, key: text, fullUrl: text },
  }),
  "put /media/upload/{token}": async (world) => ({
    params: { token: await uploadUrl(world) },
    raw: new Uint8Array(await picture(8, 8)),
    headers: { "content-type": "image/jpeg" },
  }),
  "get /media/{key}": async ({ db }) => {
    const key = await importImage(db, await picture(8, 8), "image/jpeg");
    return { params: { key: key.split("/") } };
  },
  "get /customer/{id}/balance": async ({ customer }) => ({
    params: { id: (await customer()).id },
    data: { sBalance: 100, sCashValue: "100.00", sLiveQRCode: null },
  }),
  "get /customer/{id}/loyalty-card.pdf": async ({ customer }) => ({ params: { id: (await customer()).id } }),
  "get /customer/{id}/apple-wallet-pass": async ({ customer }) => ({ params: { id: (await customer()).id } }),
  "get /customer/{id}/google-wallet-link": async ({ customer }) => ({
    params: { id: (await customer()).id },
    status: 303,
  }),
  "get /customer/{id}/my-data": async (world) => {
    const { body, verification } = await verified(world);
    const { customerId, holderToken } = await registerCustomer(stranger(world), {
      fullName: body.sFullName,
      email: body.sEmail,
      phone: "+97455123456",
      dateOfBirth: body.dDateOfBirth,
      merchantId: body.iMerchantId,
      verification,
    });
    return {
      params: { id: customerId },
      headers: { cookie: cookieLine(holderCookie(customerId, holderToken)).split(";")[0] ?? "" },
    };
  },
  [`post ${REGISTRATION}/{serial}`]: async (world) => ({
    ...(await device(world)),
    body: { pushToken: "a push token" },
    status: 201,
  }),
  [`delete ${REGISTRATION}/{serial}`]: registered,
  [`get ${REGISTRATION}`]: async (world) => {
    const { device: deviceId, passType } = (await registered(world)).params;
    return { params: { device: deviceId, passType } };
  },
  "get /wallet/v1/passes/{passType}/{serial}": async (world) => {
    const { params, headers } = await registered(world);
    return { params: { passType: params.passType, serial: params.serial }, headers };
  },
  "post /csp-report": () => ({
    raw: JSON.stringify({
      "csp-report": { "effective-directive": "img-src", "blocked-uri": "https://a.test/x" },
    }),
    headers: { "content-type": "application/csp-report" },
    status: 204,
  }),
  ...PUBLIC_TILL_EXAMPLES,
  "post /wallet/v1/log": () => ({ body: { logs: ["a complaint"] } }),
};
