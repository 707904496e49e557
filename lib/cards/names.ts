import { z } from "zod";
import type { Writer } from "@/lib/calls/bind";
import { customerParams, existsReply } from "@/lib/calls/fields";
import { heldFrom, heldShape, pocketsCodec } from "@/lib/ledger/names";
import type { CardState } from "./model/card";

const channel = { sType: { always: "EMAIL" }, sAuth: { always: "REGISTER" } } as const;

/** POST auth/send-otp */
const sendOtpWire = { ...channel, sLogin: "email", iMerchantId: "merchantId" } as const;
const sendOtpReply = {
  schema: z.object({ iSeconds: z.number().int() }),
  from: (output: { seconds: number }) => ({ iSeconds: output.seconds }),
};

/** POST auth/verify-otp */
const verifyOtpWire = { ...channel, sLogin: "email", sCode: "code" } as const;
const verifyOtpReply = {
  schema: z.object({ sVerification: z.string() }),
  from: (output: { verification: string }) => ({ sVerification: output.verification }),
};

/** POST customers/register */
const registerWire = {
  sFullName: "fullName",
  sEmail: "email",
  sPhoneNumber: "phone",
  dDateOfBirth: "dateOfBirth",
  iMerchantId: "merchantId",
  bConsent: "consent",
  sVerification: "verification",
} as const;
const registerReply = {
  schema: z.object({ _id: z.string(), isNewRegistration: z.boolean() }),
  from: (output: { customerId: string; isNewRegistration: boolean }) => ({
    _id: output.customerId,
    isNewRegistration: output.isNewRegistration,
  }),
};

/** GET customer/{id}/balance */
const cardStateReply = {
  schema: z.object({
    sBalance: z.number().int(),
    ...heldShape,
    /** The open holds: what is left of each, where, and until when; only with the card holder's cookie. */
    aHolds: z.array(
      z.object({
        iPoints: z.number().int(),
        sBranchName: z.string(),
        sBranchNameAr: z.string().nullable(),
        dExpiresAt: z.iso.datetime(),
      }),
    ),
    sCashValue: z.string(),
    oPockets: pocketsCodec.schema,
    eStatus: z.enum(["active", "blocked", "frozen"]),
    /** The merchant is suspended: nothing can be posted to the card for now. */
    bSuspended: z.boolean(),
    /** Only with the card holder's cookie. */
    sLiveQRCode: z.string().nullable(),
    /** The redemption by live code of the last minutes; only with the card holder's cookie. */
    oJustPaid: z
      .object({ sPoints: z.number().int(), dAt: z.iso.datetime(), sFreezeUrl: z.string() })
      .nullable(),
    dAt: z.iso.datetime(),
  }),
  from: (state: CardState, to: Writer) => ({
    sBalance: state.balance,
    ...heldFrom(state.balance, state.held),
    aHolds: state.holds.map(({ points, branch, until }) => ({
      iPoints: points,
      sBranchName: branch.name,
      sBranchNameAr: branch.nameAr ?? null,
      dExpiresAt: until.toISOString(),
    })),
    sCashValue: state.cashValue,
    oPockets: pocketsCodec.from(state.pockets, to),
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

const customerExistWire = { sEmail: "email", iMerchantId: "merchantId" } as const;

/** The calls of cards, as both sides know them. */
export const cardCalls = {
  sendCode: { method: "POST", path: "auth/send-otp", body: sendOtpWire, reply: sendOtpReply },
  verifyCode: { method: "POST", path: "auth/verify-otp", body: verifyOtpWire, reply: verifyOtpReply },
  customerExists: { method: "POST", path: "customer-exist", body: customerExistWire, reply: existsReply },
  readCardState: {
    method: "GET",
    path: "customer/{id}/balance",
    params: customerParams,
    reply: cardStateReply,
  },
  cardPdf: {
    method: "GET",
    path: "customer/{id}/loyalty-card.pdf",
    params: customerParams,
    query: { lang: "locale" },
  },
  exportHolderData: { method: "GET", path: "customer/{id}/my-data", params: customerParams },
  registerCustomer: { method: "POST", path: "customers/register", body: registerWire, reply: registerReply },
} as const;
