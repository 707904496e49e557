import { z } from "zod";
import { sends, type Writer } from "@/lib/calls/bind";
import {
  absentIfNull,
  computed,
  fields,
  instantText,
  list,
  namesOf,
  nullable,
  optional,
} from "@/lib/calls/codec";
import {
  branchRefFields,
  doneReply,
  emailWire,
  idParams,
  imageUrlOf,
  logoUrlOf,
  merchantNamesFields,
  merchantRef,
  personNameFields,
  STATUS_LETTER,
  signupUrlOf,
  statusLetter,
} from "@/lib/calls/fields";
import type { MerchantStatus } from "@/lib/domain/actor";
import { KEY_SCOPES, type KeyScope } from "@/lib/domain/key-scopes";
import type { MerchantRef } from "@/lib/domain/localized-names";
import { LOCALES, ROLES } from "@/lib/domain/roles";
import type { pinSignInSchema } from "@/lib/tills/model/till";
import { ADMIN_ROLES } from "./model/account";
import { FACTOR_KINDS } from "./model/second-factor";

const userFields = {
  _id: ["id", z.string()],
  eRole: ["role", z.enum(ROLES)],
  ...personNameFields,
  sEmail: ["email", z.string()],
  sPhoneNumber: ["phone", z.string().nullable()],
  sLocale: ["locale", z.enum(LOCALES).nullable()],
} as const;
const accountReply = fields(userFields);
export type Account = Parameters<typeof accountReply.from>[0];

const ownMerchant = fields({
  _id: ["id", z.string()],
  ...merchantNamesFields,
  sBusinessImage: ["imageUrl", imageUrlOf],
  sLogo: ["logoUrl", logoUrlOf],
  sColor: ["colour", z.string().nullable()],
  sSignupUrl: ["signupUrl", signupUrlOf],
});
const profileData = fields({
  ...userFields,
  /** Absent for administrators. */
  iMerchantId: [
    "merchantId",
    optional(computed(z.string(), (of: { merchant: { id: string } | null }) => of.merchant?.id)),
  ],
  iBranchId: ["branchId", absentIfNull(z.string())],
  merchant: ["merchant", absentIfNull(ownMerchant)],
  eStatus: [
    "status",
    optional(
      computed(statusLetter, ({ merchant }: { merchant: { status: MerchantStatus } | null }) =>
        merchant ? STATUS_LETTER[merchant.status] : undefined,
      ),
    ),
  ],
});

export type Profile = Parameters<typeof profileData.from>[0] & {
  merchant: { statusReason: string | null } | null;
};

const keyProfileData = fields({
  _id: ["keyId", z.string()],
  eType: ["type", computed(z.literal("apiKey"), () => "apiKey" as const)],
  sName: ["name", z.string()],
  aScopes: [
    "scopes",
    computed(z.array(z.enum(KEY_SCOPES)), ({ scopes }: { scopes: readonly KeyScope[] }) => [...scopes]),
  ],
  iMerchantId: [
    "merchantId",
    computed(z.string(), ({ keyMerchant }: { keyMerchant: MerchantRef }) => keyMerchant.id),
  ],
  /** Present where it may post at one branch only. */
  iBranchId: ["branchId", absentIfNull(z.string())],
  merchant: ["keyMerchant", merchantRef],
  /** Dirhams that a point is worth now: software that has an amount of money asks for its points. */
  iDirhamsPerPoint: ["dirhamsPerPoint", z.number().int()],
  branches: ["branches", list(fields({ ...branchRefFields, sCity: ["city", z.string()] }))],
});

export type KeyProfile = Parameters<typeof keyProfileData.from>[0];

const profileReply = {
  schema: z.union([profileData.schema, keyProfileData.schema]),
  from: (profile: Profile | KeyProfile, to: Writer) =>
    "keyId" in profile ? keyProfileData.from(profile, to) : profileData.from(profile, to),
};

const loginFields = {
  token: ["token", z.string()],
  expiresAt: ["expiresAt", instantText],
  user: ["user", profileData],
} as const;
const loginReply = fields(loginFields);

/** `sEntryKey`: the key (base64url, 32 bytes) of the HMAC of what this session keeps without a connection. */
const pinLoginReply = fields({ ...loginFields, sEntryKey: ["entryKey", z.string()] });

/** The session that a PIN opened, as its browser gets it: without the token. */
export const pinSessionReply = fields({
  handle: ["handle", z.string()],
  worker: ["worker", fields({ _id: ["id", z.string()], ...personNameFields })],
  sEntryKey: ["entryKey", z.string()],
  dEntryKeyUntil: ["entryKeyUntil", instantText],
});

/** The session of a password change goes on with a new token. A panel has it in its cookie. */
const passwordChangedReply = fields({
  token: ["token", absentIfNull(z.string())],
  expiresAt: ["expiresAt", instantText],
});

/** Whether the code of the present address is asked for too; iSeconds is how long both are valid. */
const ownEmailCodesReply = fields({ iSeconds: ["seconds", z.number().int()], bBoth: ["both", z.boolean()] });

const adminReply = fields({
  _id: ["id", z.string()],
  ...personNameFields,
  sEmail: ["email", z.string()],
  eRole: ["role", z.enum(ADMIN_ROLES)],
  eStatus: ["status", z.enum(["active", "invited", "disabled"])],
  bSecondFactor: ["secondFactor", z.boolean()],
  dCreatedAt: ["createdAt", instantText],
});
export type Admin = Parameters<typeof adminReply.from>[0];
const adminsReply = {
  schema: z.object({ results: z.array(adminReply.schema) }),
  from: (admins: Admin[], to: Writer) => ({ results: admins.map((admin) => adminReply.from(admin, to)) }),
};
const adminWire = namesOf(personNameFields);

const webAuthnOptions = z.record(z.string(), z.unknown());
/** In the demo only: the present code of the authenticator app. */
const demoCode = absentIfNull(z.string());

/** The request of a second step. `jOptions` go to WebAuthn's `navigator.credentials.get`. */
export const factorRequestReply = fields({
  sChallenge: ["challenge", z.string()],
  aMethods: ["methods", z.array(z.enum(["passkey", "totp", "recovery", "password"]))],
  jOptions: ["options", webAuthnOptions.nullable()],
  dExpiresAt: ["expiresAt", instantText],
  sDemoCode: ["demoCode", demoCode],
});

const factor = fields({
  _id: ["id", z.string()],
  eKind: ["kind", z.enum(FACTOR_KINDS)],
  sName: ["name", z.string()],
  dCreatedAt: ["createdAt", instantText],
  dLastUsedAt: ["lastUsedAt", nullable(instantText)],
});
export type Factor = Parameters<typeof factor.from>[0];
const factorsReply = fields({
  aFactors: ["factors", list(factor)],
  nRecoveryCodes: ["recoveryCodes", z.number().int()],
  /** Whether the account may not be used without one. */
  bRequired: ["required", z.boolean()],
});
export type Factors = Parameters<typeof factorsReply.from>[0];

const newTotpReply = fields({
  sSecret: ["secret", z.string()],
  sUri: ["uri", z.string()],
  sDemoCode: ["demoCode", demoCode],
});

const recoveryCodes = z.array(z.string());
const enrolledReply = fields({
  _id: ["id", z.string()],
  sName: ["name", z.string()],
  aRecoveryCodes: ["recoveryCodes", absentIfNull(recoveryCodes)],
});
const recoveryCodesReply = fields({ aRecoveryCodes: ["recoveryCodes", recoveryCodes] });
const creationOptionsReply = fields({ jOptions: ["options", webAuthnOptions] });
const stepUpReply = fields({ dUntil: ["until", instantText] });
const pinSignInWire = { iWorkerId: "workerId", sPin: "pin" } as const;

export const accountCalls = {
  changeAdmin: {
    method: "PUT",
    path: "admins/{id}",
    params: idParams,
    body: { ...adminWire, eRole: "role", bActive: "active", bInvite: "invite" },
    reply: adminReply,
  },
  listAdmins: { method: "GET", path: "admins", reply: adminsReply },
  inviteAdmin: {
    method: "POST",
    path: "admins",
    body: { ...adminWire, sEmail: "email", eRole: "role" },
    reply: adminReply,
  },
  changePassword: {
    method: "PUT",
    path: "auth/change-password",
    body: { sOldPassword: "oldPassword", sNewPassword: "newPassword", bKeepPin: "keepPin" },
    reply: passwordChangedReply,
  },
  sendMailboxLink: { method: "POST", path: "auth/confirm-email", reply: doneReply },
  sendOwnEmailCodes: { method: "POST", path: "auth/email/codes", body: emailWire, reply: ownEmailCodesReply },
  changeOwnEmail: {
    method: "PUT",
    path: "auth/email",
    body: { ...emailWire, sCode: "code", sOldCode: "oldCode" },
    reply: passwordChangedReply,
  },
  forgotPassword: { method: "POST", path: "auth/forgot-password", body: emailWire, reply: doneReply },
  logIn: {
    method: "POST",
    path: "auth/login",
    body: { ...emailWire, sPassword: "password" },
    reply: loginReply,
  },
  signOut: { method: "POST", path: "auth/logout", reply: doneReply },
  askForPasskey: { method: "POST", path: "auth/passkey-options", reply: factorRequestReply },
  pinSignIn: { method: "POST", path: "auth/pin", body: pinSignInWire, reply: pinLoginReply },
  /** As pinSignIn, for the till's own browser: the session is its cookie. The path is not below /api. */
  pinSession: {
    method: "POST",
    path: "../session/pin",
    body: pinSignInWire,
    reply: pinSessionReply,
    input: sends<z.input<typeof pinSignInSchema>>(),
  },
  setPin: { method: "PUT", path: "auth/pin", body: { sPassword: "password", sPin: "pin" }, reply: doneReply },
  resetPassword: {
    method: "POST",
    path: "auth/reset-password",
    body: { sToken: "token", sPassword: "password", sPin: "pin" },
    reply: doneReply,
  },
  confirmLogIn: {
    method: "POST",
    path: "auth/second-factor",
    body: { sChallenge: "challenge", sCode: "code", jAssertion: "assertion" },
    reply: loginReply,
  },
  askToStepUp: { method: "GET", path: "auth/step-up", reply: factorRequestReply },
  stepUp: {
    method: "POST",
    path: "auth/step-up",
    body: { sPassword: "password", sCode: "code", jAssertion: "assertion" },
    reply: stepUpReply,
  },
  updateProfile: {
    method: "PUT",
    path: "auth/update-profile",
    body: { sFirstName: "firstName", sLastName: "lastName", sPhoneNumber: "phone", sLocale: "locale" },
    reply: accountReply,
  },
  profile: { method: "GET", path: "profile", reply: profileReply },
  renameFactor: {
    method: "PUT",
    path: "second-factors/{id}",
    params: idParams,
    body: { sName: "name" },
    reply: doneReply,
  },
  removeFactor: { method: "DELETE", path: "second-factors/{id}", params: idParams, reply: doneReply },
  startPasskey: { method: "POST", path: "second-factors/passkey", reply: creationOptionsReply },
  addPasskey: {
    method: "PUT",
    path: "second-factors/passkey",
    body: { jAttestation: "attestation", sName: "name" },
    reply: enrolledReply,
  },
  renewRecoveryCodes: { method: "POST", path: "second-factors/recovery-codes", reply: recoveryCodesReply },
  listFactors: { method: "GET", path: "second-factors", reply: factorsReply },
  startTotp: { method: "POST", path: "second-factors/totp", reply: newTotpReply },
  confirmTotp: {
    method: "PUT",
    path: "second-factors/totp",
    body: { sCode: "code", sName: "name" },
    reply: enrolledReply,
  },
} as const;
