import { z } from "zod";
import type { Profile } from "@/lib/accounts/profile";
import type { PasswordChanged } from "@/lib/accounts/set-password";
import type { LoggedIn } from "@/lib/accounts/sign-in";
import type { Account } from "@/lib/domain/account";
import type { MerchantStatus } from "@/lib/domain/actor";
import { LOCALES, ROLES } from "@/lib/domain/roles";
import { imageUrl, signupUrl } from "./media";
import { merchantNamesFrom, merchantNamesShape } from "./merchant-ref";

/** The specification's letters for the status of a merchant. */
export const STATUS_LETTER = { approved: "A", rejected: "R", pending: "P" } as const satisfies Record<
  MerchantStatus,
  string
>;
export const statusLetter = z.enum(["A", "R", "P"]);

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

function profileFrom(profile: Profile): z.output<typeof profileData> {
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
            sBusinessImage: imageUrl(merchant.imageKey),
            sLogo: imageUrl(merchant.logoKey),
            sColor: merchant.colour,
            sSignupUrl: signupUrl(merchant.publicId),
          },
          eStatus: STATUS_LETTER[merchant.status],
        }
      : {}),
  };
}

export const profileReply = { schema: profileData, from: profileFrom };
export const accountReply = { schema: user, from: userFrom };

export const loginReply = {
  schema: z.object({ token: z.string(), expiresAt: z.iso.datetime(), user: profileData }),
  from: ({ token, expiresAt, user: who }: LoggedIn) => ({
    token,
    expiresAt: expiresAt.toISOString(),
    user: profileFrom(who),
  }),
};

/** The session of a password change goes on with a new token. A panel has it in its cookie. */
export const passwordChangedReply = {
  schema: z.object({ token: z.string().optional(), expiresAt: z.iso.datetime() }),
  from: ({ token, expiresAt }: PasswordChanged) => ({
    ...(token === null ? {} : { token }),
    expiresAt: expiresAt.toISOString(),
  }),
};

export const loginWire = { sEmail: "email", sPassword: "password" } as const;
export const forgotPasswordWire = { sEmail: "email" } as const;
export const resetPasswordWire = { sToken: "token", sPassword: "password" } as const;
export const changePasswordWire = { sOldPassword: "oldPassword", sNewPassword: "newPassword" } as const;
export const ownEmailCodesWire = { sEmail: "email" } as const;
/** Whether the code of the present address is asked for too; iSeconds is how long both are valid. */
export const ownEmailCodesReply = {
  schema: z.object({ iSeconds: z.number().int(), bBoth: z.boolean() }),
  from: ({ seconds, both }: { seconds: number; both: boolean }) => ({ iSeconds: seconds, bBoth: both }),
};
export const changeOwnEmailWire = { sEmail: "email", sCode: "code", sOldCode: "oldCode" } as const;
export const updateProfileWire = {
  sFirstName: "firstName",
  sLastName: "lastName",
  sPhoneNumber: "phone",
  sLocale: "locale",
} as const;

/** An answer without data. */
export const doneReply = { schema: z.object({}), from: () => ({}) };
