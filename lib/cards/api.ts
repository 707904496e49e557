import { z } from "zod";
import { bind, later, tagged } from "@/lib/calls/bind";
import { fileResponse } from "@/lib/files/csv";
import { cookieLine, holderCookie, readVerificationSecret, verificationCookie } from "@/lib/secrets/cookies";
import { readCardState } from "./card";
import { exportHolderData } from "./card-holder";
import { cardCalls } from "./names";
import { customerExists, registerCustomer, sendCode, verifyCode } from "./sign-up";

const cardPdf = () => import("./card-pdf");

export const cardApi = tagged("Customer sign-up", [
  bind(cardCalls.sendCode, sendCode, {
    summary: "Emails a six-digit code that is valid for 300 seconds. A new code replaces the old one.",
    message: "api.otpSent",
    example: { sType: "EMAIL", sAuth: "REGISTER", sLogin: "layla@example.com" },
  }),
  bind(cardCalls.verifyCode, verifyCode, {
    summary:
      "Proves an email by its code, for one registration within 15 minutes. After five wrong guesses the code no longer works.",
    headers: (output) => [["Set-Cookie", cookieLine(verificationCookie(output.verification))]],
    message: "api.emailVerified",
    example: { sType: "EMAIL", sAuth: "REGISTER", sLogin: "layla@example.com", sCode: "123456" },
  }),
  bind(cardCalls.customerExists, customerExists, {
    summary: "Whether an email has a card with this merchant.",
    tag: "Customers",
    limit: "exists",
    example: { sEmail: "layla@customer.test", iMerchantId: "01999999-0000-7000-8000-000000000001" },
  }),
  bind(cardCalls.readCardState, readCardState, {
    summary:
      "A card by its private id: its current balance, and the live QR code for the card holder's cookie only.",
    tag: "Customer card",
    // An open card page calls it every four seconds, and all cards on a shop's Wi-Fi have one address.
    limit: "session",
  }),
  bind(cardCalls.cardPdf, later(cardPdf, "cardPdf"), {
    summary:
      "The card as a PDF of one A4 page, by its private id; `lang` chooses another language than the card's.",
    tag: "Customer card",
    respond: {
      contentType: "application/pdf",
      from: ({ fileName, bytes }) => fileResponse("application/pdf", fileName, bytes),
    },
    limit: "heavy",
  }),
  bind(cardCalls.exportHolderData, exportHolderData, {
    summary:
      "A card holder's data, transactions and reservations, as a JSON file, for the card holder's cookie only.",
    tag: "Customer card",
    respond: {
      contentType: "application/json",
      schema: z.looseObject({}),
      from: (data) =>
        fileResponse(
          "application/json; charset=utf-8",
          "my-loyalty-card-data.json",
          Buffer.from(JSON.stringify(data, null, 2)),
        ),
    },
  }),
  bind(cardCalls.registerCustomer, registerCustomer, {
    summary: "Registers a verified email with a merchant: issues a new card, or answers the existing one.",
    more: ({ headers }) => ({ verification: readVerificationSecret(headers) }),
    headers: (output) => [
      ["Set-Cookie", cookieLine(holderCookie(output.customerId, output.holderToken))],
      ["Set-Cookie", cookieLine(verificationCookie(null))],
    ],
    marks: ({ email }) => ({ email }),
    message: "api.registered",
    example: {
      sFullName: "Layla Haddad",
      sEmail: "layla@example.com",
      sPhoneNumber: "+974 5512 3456",
      dDateOfBirth: "1995-04-12",
      iMerchantId: "0190a8c4-7b6e-7c1a-9d55-3f1f0a2b4c6d",
      bConsent: true,
    },
  }),
]);
