import { z } from "zod";
import type { CardState } from "@/lib/domain/card";
import { pocketsShape, toPocketsWire } from "./money";

const channel = { sType: { always: "EMAIL" }, sAuth: { always: "REGISTER" } } as const;

/** POST auth/send-otp */
export const sendOtpWire = { ...channel, sLogin: "email", iMerchantId: "merchantId" } as const;
export const sendOtpReply = {
  schema: z.object({ iSeconds: z.number().int() }),
  from: (output: { seconds: number }) => ({ iSeconds: output.seconds }),
};

/** POST auth/verify-otp */
export const verifyOtpWire = { ...channel, sLogin: "email", sCode: "code" } as const;
export const verifyOtpReply = {
  schema: z.object({ sVerification: z.string() }),
  from: (output: { verification: string }) => ({ sVerification: output.verification }),
};

/** POST customers/register */
export const registerWire = {
  sFullName: "fullName",
  sEmail: "email",
  sPhoneNumber: "phone",
  dDateOfBirth: "dateOfBirth",
  iMerchantId: "merchantId",
  bConsent: "consent",
  sVerification: "verification",
} as const;
export const registerReply = {
  schema: z.object({ _id: z.string(), isNewRegistration: z.boolean() }),
  from: (output: { customerId: string; isNewRegistration: boolean }) => ({
    _id: output.customerId,
    isNewRegistration: output.isNewRegistration,
  }),
};

/** GET customer/{id}/balance */
export const cardStateReply = {
  schema: z.object({
    sBalance: z.number().int(),
    sCashValue: z.string(),
    oPockets: pocketsShape,
    eStatus: z.enum(["active", "blocked", "frozen"]),
    /** The merchant is suspended: nothing can be posted to the card for now. */
    bSuspended: z.boolean(),
    /** Only with the card holder's cookie. */
    sLiveQRCode: z.string().nullable(),
    /** What the live code paid within the last minutes; only with the card holder's cookie. */
    oJustPaid: z
      .object({ sPoints: z.number().int(), dAt: z.iso.datetime(), sFreezeUrl: z.string() })
      .nullable(),
    dAt: z.iso.datetime(),
  }),
  from: (state: CardState) => ({
    sBalance: state.balance,
    sCashValue: state.cashValue,
    oPockets: toPocketsWire(state.pockets),
    eStatus: state.status,
    bSuspended: state.suspended,
    sLiveQRCode: state.liveQr,
    oJustPaid: state.justPaid && {
      sPoints: state.justPaid.points,
      dAt: state.justPaid.at.toISOString(),
      sFreezeUrl: state.justPaid.freezeUrl,
    },
    dAt: state.at.toISOString(),
  }),
};
