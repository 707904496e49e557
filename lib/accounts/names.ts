import { z } from "zod";
import { sends, type Writer } from "@/lib/calls/bind";
import { fields, instantText } from "@/lib/calls/codec";
import {
  branchRef,
  doneReply,
  merchantNamesFrom,
  merchantNamesShape,
  merchantRefFrom,
  merchantRefShape,
  STATUS_LETTER,
  statusLetter,
} from "@/lib/calls/fields";
import { KEY_SCOPES } from "@/lib/domain/key-scopes";
import { LOCALES, ROLES } from "@/lib/domain/roles";
import type { pinSignInSchema } from "@/lib/tills/model/till";
import type { Enrolled, NewTotp } from "./factors/enrol";
import type { Account } from "./model/account";
import { ADMIN_ROLES, type Admin } from "./model/admin";
import { FACTOR_KINDS, type FactorRequest, type Factors } from "./model/second-factor";
import type { PinSession } from "./pin";
import type { KeyProfile, Profile } from "./profile";
import type { PasswordChanged } from "./set-password";
import type { LoggedIn } from "./sign-in";

const user = z.object({
  _id: z.string(),
  eRole: z.enum(ROLES),
  sFirstName: z.string(),
  sLastName: z.string(),
  sEmail: z.string(),
  sPhoneNumber: z.string().nullable(),
  sLocale: z.enum(LOCALES).nullable(),
});

const profileData = user.extend({
  /** Absent for administrators. */
  iMerchantId: z.string().optional(),
  iBranchId: z.string().optional(),
  merchant: z
    .object({
      _id: z.string(),
      ...merchantNamesShape.shape,
      sBusinessImage: z.string().nullable(),
      sLogo: z.string().nullable(),
      /** The owner's own colour of the cards, such as "#8a1538". */
      sColor: z.string().nullable(),
      sSignupUrl: z.string(),
    })
    .optional(),
  eStatus: statusLetter.optional(),
});

function userFrom(account: Account): z.output<typeof user> {
  return {
    _id: account.id,
    eRole: account.role,
    sFirstName: account.firstName,
    sLastName: account.lastName,
    sEmail: account.email,
    sPhoneNumber: account.phone,
    sLocale: account.locale,
  };
}

function profileFrom(profile: Profile, to: Writer): z.output<typeof profileData> {
  const { merchant } = profile;
  return {
    ...userFrom(profile),
    ...(profile.branchId ? { iBranchId: profile.branchId } : {}),
    ...(merchant
      ? {
          iMerchantId: merchant.id,
          merchant: {
            _id: merchant.id,
            ...merchantNamesFrom(merchant),
            sBusinessImage: to.imageUrl(merchant.imageKey),
            sLogo: to.imageUrl(merchant.logoKey),
            sColor: merchant.colour,
            sSignupUrl: to.signupUrl(merchant.publicId),
          },
          eStatus: STATUS_LETTER[merchant.status],
        }
      : {}),
  };
}

/** An API key as it sees itself. `branches` are those that it may post at. */
const keyProfileData = z.object({
  _id: z.string(),
  eType: z.literal("apiKey"),
  sName: z.string(),
  aScopes: z.array(z.enum(KEY_SCOPES)),
  iMerchantId: z.string(),
  /** Present where it may post at one branch only. */
  iBranchId: z.string().optional(),
  merchant: merchantRefShape,
  /** Dirhams that a point is worth now: software that has an amount of money asks for its points. */
  iDirhamsPerPoint: z.number().int(),
  branches: z.array(branchRef.schema.extend({ sCity: z.string() })),
});

function keyProfileFrom(key: KeyProfile): z.output<typeof keyProfileData> {
  return {
    _id: key.keyId,
    eType: "apiKey",
    sName: key.name,
    aScopes: [...key.scopes],
    iMerchantId: key.keyMerchant.id,
    ...(key.branchId ? { iBranchId: key.branchId } : {}),
    merchant: merchantRefFrom(key.keyMerchant),
    iDirhamsPerPoint: key.dirhamsPerPoint,
    branches: key.branches.map(({ id, name, nameAr, city }) => ({
      _id: id,
      sBranchName: name,
      sBranchNameAr: nameAr,
      sCity: city,
    })),
  };
}

const profileReply = {
  schema: z.union([profileData, keyProfileData]),
  from: (profile: Profile | KeyProfile, to: Writer) =>
    "keyId" in profile ? keyProfileFrom(profile) : profileFrom(profile, to),
};
const accountReply = { schema: user, from: userFrom };

const loginReply = {
  schema: z.object({ token: z.string(), expiresAt: z.iso.datetime(), user: profileData }),
  from: ({ token, expiresAt, user: who }: LoggedIn, to: Writer) => ({
    token,
    expiresAt: expiresAt.toISOString(),
    user: profileFrom(who, to),
  }),
};

/** `sEntryKey`: the key (base64url, 32 bytes) of the HMAC of what this session keeps without a connection. */
const pinLoginReply = {
  schema: loginReply.schema.extend({ sEntryKey: z.string() }),
  from: ({ entryKey, ...session }: PinSession, to: Writer) => ({
    ...loginReply.from(session, to),
    sEntryKey: entryKey,
  }),
};

/** The session that a PIN opened, as its browser gets it: without the token. */
export const pinSessionReply = fields({
  handle: ["handle", z.string()],
  worker: [
    "worker",
    fields({
      _id: ["id", z.string()],
      sFirstName: ["firstName", z.string()],
      sLastName: ["lastName", z.string()],
    }),
  ],
  sEntryKey: ["entryKey", z.string()],
  dEntryKeyUntil: ["entryKeyUntil", instantText],
});

/** The session of a password change goes on with a new token. A panel has it in its cookie. */
const passwordChangedReply = {
  schema: z.object({ token: z.string().optional(), expiresAt: z.iso.datetime() }),
  from: ({ token, expiresAt }: PasswordChanged) => ({
    ...(token === null ? {} : { token }),
    expiresAt: expiresAt.toISOString(),
  }),
};

const loginWire = { sEmail: "email", sPassword: "password" } as const;
const forgotPasswordWire = { sEmail: "email" } as const;
/** sPin is for employees: without it the PIN of before goes. */
const resetPasswordWire = { sToken: "token", sPassword: "password", sPin: "pin" } as const;
const changePasswordWire = {
  sOldPassword: "oldPassword",
  sNewPassword: "newPassword",
  bKeepPin: "keepPin",
} as const;
const ownEmailCodesWire = { sEmail: "email" } as const;
/** Whether the code of the present address is asked for too; iSeconds is how long both are valid. */
const ownEmailCodesReply = {
  schema: z.object({ iSeconds: z.number().int(), bBoth: z.boolean() }),
  from: ({ seconds, both }: { seconds: number; both: boolean }) => ({ iSeconds: seconds, bBoth: both }),
};
const changeOwnEmailWire = { sEmail: "email", sCode: "code", sOldCode: "oldCode" } as const;
const updateProfileWire = {
  sFirstName: "firstName",
  sLastName: "lastName",
  sPhoneNumber: "phone",
  sLocale: "locale",
} as const;

const setPinWire = { sPassword: "password", sPin: "pin" } as const;
const pinSignInWire = { iWorkerId: "workerId", sPin: "pin" } as const;

const adminData = z.object({
  _id: z.string(),
  sFirstName: z.string(),
  sLastName: z.string(),
  sEmail: z.string(),
  eRole: z.enum(ADMIN_ROLES),
  eStatus: z.enum(["active", "invited", "disabled"]),
  bSecondFactor: z.boolean(),
  dCreatedAt: z.iso.datetime(),
});

const adminFrom = (admin: Admin): z.output<typeof adminData> => ({
  _id: admin.id,
  sFirstName: admin.firstName,
  sLastName: admin.lastName,
  sEmail: admin.email,
  eRole: admin.role,
  eStatus: admin.status,
  bSecondFactor: admin.secondFactor,
  dCreatedAt: admin.createdAt.toISOString(),
});

const adminReply = { schema: adminData, from: adminFrom };
const adminsReply = {
  schema: z.object({ results: z.array(adminData) }),
  from: (admins: Admin[]) => ({ results: admins.map(adminFrom) }),
};
const inviteAdminWire = {
  sFirstName: "firstName",
  sLastName: "lastName",
  sEmail: "email",
  eRole: "role",
} as const;
const changeAdminWire = {
  sFirstName: "firstName",
  sLastName: "lastName",
  eRole: "role",
  bActive: "active",
  bInvite: "invite",
} as const;

const methods = z.array(z.enum(["passkey", "totp", "recovery", "password"]));
const webAuthnOptions = z.record(z.string(), z.unknown()).nullable();

/** The request of a second step. `jOptions` go to WebAuthn's `navigator.credentials.get`. */
export const factorRequestData = z.object({
  sChallenge: z.string(),
  aMethods: methods,
  jOptions: webAuthnOptions,
  dExpiresAt: z.iso.datetime(),
  /** In the demo only: the present code of the authenticator app. */
  sDemoCode: z.string().optional(),
});

export const factorRequestFrom = (request: FactorRequest): z.output<typeof factorRequestData> => ({
  sChallenge: request.challenge,
  aMethods: request.methods,
  jOptions: request.options,
  dExpiresAt: request.expiresAt.toISOString(),
  ...(request.demoCode === null ? {} : { sDemoCode: request.demoCode }),
});

const factorRequestReply = { schema: factorRequestData, from: factorRequestFrom };

const factorsData = z.object({
  aFactors: z.array(
    z.object({
      _id: z.string(),
      eKind: z.enum(FACTOR_KINDS),
      sName: z.string(),
      dCreatedAt: z.iso.datetime(),
      dLastUsedAt: z.iso.datetime().nullable(),
    }),
  ),
  nRecoveryCodes: z.number().int(),
  bRequired: z.boolean(),
});

const factorsReply = {
  schema: factorsData,
  from: ({ factors, recoveryCodes, required }: Factors) => ({
    aFactors: factors.map((factor) => ({
      _id: factor.id,
      eKind: factor.kind,
      sName: factor.name,
      dCreatedAt: factor.createdAt.toISOString(),
      dLastUsedAt: factor.lastUsedAt?.toISOString() ?? null,
    })),
    nRecoveryCodes: recoveryCodes,
    bRequired: required,
  }),
};

const newTotpReply = {
  schema: z.object({ sSecret: z.string(), sUri: z.string(), sDemoCode: z.string().optional() }),
  from: ({ secret, uri, demoCode }: NewTotp) => ({
    sSecret: secret,
    sUri: uri,
    ...(demoCode === null ? {} : { sDemoCode: demoCode }),
  }),
};

const enrolledReply = {
  schema: z.object({ _id: z.string(), sName: z.string(), aRecoveryCodes: z.array(z.string()).optional() }),
  from: ({ id, name, recoveryCodes }: Enrolled) => ({
    _id: id,
    sName: name,
    ...(recoveryCodes ? { aRecoveryCodes: recoveryCodes } : {}),
  }),
};

const recoveryCodesReply = {
  schema: z.object({ aRecoveryCodes: z.array(z.string()) }),
  from: ({ recoveryCodes }: { recoveryCodes: string[] }) => ({ aRecoveryCodes: recoveryCodes }),
};

const creationOptionsReply = {
  schema: z.object({ jOptions: z.record(z.string(), z.unknown()) }),
  from: ({ options }: { options: Record<string, unknown> }) => ({ jOptions: options }),
};

const stepUpReply = {
  schema: z.object({ dUntil: z.iso.datetime() }),
  from: ({ until }: { until: Date }) => ({ dUntil: until.toISOString() }),
};

const confirmSignInWire = {
  sChallenge: "challenge",
  sCode: "code",
  jAssertion: "assertion",
} as const;
const stepUpWire = { sPassword: "password", sCode: "code", jAssertion: "assertion" } as const;
const confirmTotpWire = { sCode: "code", sName: "name" } as const;
const addPasskeyWire = { jAttestation: "attestation", sName: "name" } as const;
const renameFactorWire = { sName: "name" } as const;

/** The calls of accounts, as both sides know them. */
export const accountCalls = {
  changeAdmin: {
    method: "PUT",
    path: "admins/{id}",
    params: { id: "id" },
    body: changeAdminWire,
    reply: adminReply,
  },
  listAdmins: { method: "GET", path: "admins", reply: adminsReply },
  inviteAdmin: { method: "POST", path: "admins", body: inviteAdminWire, reply: adminReply },
  changePassword: {
    method: "PUT",
    path: "auth/change-password",
    body: changePasswordWire,
    reply: passwordChangedReply,
  },
  sendMailboxLink: { method: "POST", path: "auth/confirm-email", reply: doneReply },
  sendOwnEmailCodes: {
    method: "POST",
    path: "auth/email/codes",
    body: ownEmailCodesWire,
    reply: ownEmailCodesReply,
  },
  changeOwnEmail: {
    method: "PUT",
    path: "auth/email",
    body: changeOwnEmailWire,
    reply: passwordChangedReply,
  },
  forgotPassword: {
    method: "POST",
    path: "auth/forgot-password",
    body: forgotPasswordWire,
    reply: doneReply,
  },
  logIn: { method: "POST", path: "auth/login", body: loginWire, reply: loginReply },
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
  setPin: { method: "PUT", path: "auth/pin", body: setPinWire, reply: doneReply },
  resetPassword: { method: "POST", path: "auth/reset-password", body: resetPasswordWire, reply: doneReply },
  confirmLogIn: { method: "POST", path: "auth/second-factor", body: confirmSignInWire, reply: loginReply },
  askToStepUp: { method: "GET", path: "auth/step-up", reply: factorRequestReply },
  stepUp: { method: "POST", path: "auth/step-up", body: stepUpWire, reply: stepUpReply },
  updateProfile: { method: "PUT", path: "auth/update-profile", body: updateProfileWire, reply: accountReply },
  profile: { method: "GET", path: "profile", reply: profileReply },
  renameFactor: {
    method: "PUT",
    path: "second-factors/{id}",
    params: { id: "id" },
    body: renameFactorWire,
    reply: doneReply,
  },
  removeFactor: { method: "DELETE", path: "second-factors/{id}", params: { id: "id" }, reply: doneReply },
  startPasskey: { method: "POST", path: "second-factors/passkey", reply: creationOptionsReply },
  addPasskey: { method: "PUT", path: "second-factors/passkey", body: addPasskeyWire, reply: enrolledReply },
  renewRecoveryCodes: { method: "POST", path: "second-factors/recovery-codes", reply: recoveryCodesReply },
  listFactors: { method: "GET", path: "second-factors", reply: factorsReply },
  startTotp: { method: "POST", path: "second-factors/totp", reply: newTotpReply },
  confirmTotp: { method: "PUT", path: "second-factors/totp", body: confirmTotpWire, reply: enrolledReply },
} as const;
