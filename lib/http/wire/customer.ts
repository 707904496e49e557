import { z } from "zod";
import type { CardState } from "@/lib/domain/card";
import { registerCustomerSchema, sendCodeSchema, verifyCodeSchema } from "@/lib/domain/card-holder";

const channel = z.object({ sType: z.literal("EMAIL"), sAuth: z.literal("REGISTER") });

/** POST auth/send-otp */
export const sendOtpWire = channel
  .extend({ sLogin: sendCodeSchema.shape.email, iMerchantId: sendCodeSchema.shape.merchantId })
  .transform((body) => ({ email: body.sLogin, merchantId: body.iMerchantId }));
export const sendOtpReply = {
  schema: z.object({ iSeconds: z.number().int() }),
  from: (output: { seconds: number }) => ({ iSeconds: output.seconds }),
};

/** POST auth/verify-otp */
export const verifyOtpWire = channel
  .extend({ sLogin: verifyCodeSchema.shape.email, sCode: verifyCodeSchema.shape.code })
  .transform((body) => ({ email: body.sLogin, code: body.sCode }));
export const verifyOtpReply = {
  schema: z.object({ sVerification: z.string() }),
  from: (output: { verification: string }) => ({ sVerification: output.verification }),
};

const register = registerCustomerSchema.shape;

/** POST customers/register */
export const registerWire = z
  .object({
    sFullName: register.fullName,
    sEmail: register.email,
    sPhoneNumber: register.phone,
    dDateOfBirth: register.dateOfBirth,
    iMerchantId: register.merchantId,
    bConsent: register.consent,
    sVerification: register.verification,
  })
  .transform((body) => ({
    fullName: body.sFullName,
    email: body.sEmail,
    phone: body.sPhoneNumber,
    dateOfBirth: body.dDateOfBirth,
    merchantId: body.iMerchantId,
    consent: body.bConsent,
    verification: body.sVerification,
  }));
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
    eStatus: z.enum(["active", "blocked", "frozen"]),
    /** For the card holder's cookie only. */
    sLiveQRCode: z.string().nullable(),
    dAt: z.iso.datetime(),
  }),
  from: (state: CardState) => ({
    sBalance: state.balance,
    sCashValue: state.cashValue,
    eStatus: state.status,
    sLiveQRCode: state.liveQr,
    dAt: state.at.toISOString(),
  }),
};
