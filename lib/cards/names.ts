import { z } from "zod";
import { computed, fields, instant, list, nullable } from "@/lib/calls/codec";
import { customerParams, existsReply } from "@/lib/calls/fields";
import type { ReservedPoints } from "@/lib/ledger/model/movements";
import { heldFields, pocketsCodec } from "@/lib/ledger/names";

const channel = { sType: { always: "EMAIL" }, sAuth: { always: "REGISTER" } } as const;

const sendOtpWire = { ...channel, sLogin: "email", iMerchantId: "merchantId" } as const;
const sendOtpReply = fields({ iSeconds: ["seconds", z.number().int()] });

const verifyOtpWire = { ...channel, sLogin: "email", sCode: "code" } as const;
const verifyOtpReply = fields({ sVerification: ["verification", z.string()] });

const registerWire = {
  sFullName: "fullName",
  sEmail: "email",
  sPhoneNumber: "phone",
  dDateOfBirth: "dateOfBirth",
  iMerchantId: "merchantId",
  bConsent: "consent",
  sVerification: "verification",
} as const;
const registerReply = fields({
  _id: ["customerId", z.string()],
  isNewRegistration: ["isNewRegistration", z.boolean()],
});

const reserved = fields({
  iPoints: ["points", z.number().int()],
  sBranchName: ["branchName", computed(z.string(), ({ branch }: ReservedPoints) => branch.name)],
  sBranchNameAr: [
    "branchNameAr",
    computed(z.string().nullable(), ({ branch }: ReservedPoints) => branch.nameAr ?? null),
  ],
  dExpiresAt: ["until", instant],
});

const cardStateReply = fields({
  ...heldFields,
  sBalance: ["balance", z.number().int()],
  /** Only with the card holder's cookie. */
  aHolds: ["holds", list(reserved)],
  sCashValue: ["cashValue", z.string()],
  oPockets: ["pockets", pocketsCodec],
  eStatus: ["status", z.enum(["active", "blocked", "frozen"])],
  bSuspended: ["suspended", z.boolean()],
  sLiveQRCode: ["liveQr", z.string().nullable()],
  /** The redemption by live code of the last minutes; only with the card holder's cookie. */
  oJustPaid: [
    "justPaid",
    nullable(
      fields({
        sPoints: ["points", z.number().int()],
        dAt: ["at", instant],
        sFreezeUrl: ["freezeUrl", z.string()],
      }),
    ),
  ],
  dAt: ["at", instant],
});

const customerExistWire = { sEmail: "email", iMerchantId: "merchantId" } as const;

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
