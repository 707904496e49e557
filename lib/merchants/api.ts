import { bind, tagged } from "@/lib/calls/bind";
import { decideMerchant, suspendMerchant } from "./decide-merchant";
import { merchantCalls } from "./names";
import { emailExists, getMerchant, listMerchants } from "./read-merchants";
import { changeSettings, viewSettings } from "./settings";
import { reapply, signUpMerchant } from "./sign-up-merchant";

export const merchantApi = tagged("Merchants", [
  bind(merchantCalls.reapply, reapply, {
    summary: "A rejected merchant applies again, with further documents. An administrator decides again.",
    message: "api.merchantReceived",
    example: { sMessage: "The new trade licence is attached." },
  }),
  bind(merchantCalls.emailExists, emailExists, {
    summary: "Whether an account with this email already exists.",
    limit: "exists",
    example: { sEmail: "owner@karak.test" },
  }),
  bind(merchantCalls.signUpMerchant, signUpMerchant, {
    summary:
      "Signs up a merchant with its owner and first branch. An administrator then approves or rejects it.",
    message: "api.merchantReceived",
    example: {
      sBusinessName: "Karak House",
      sFirstName: "Noora",
      sLastName: "Al-Kuwari",
      sEmail: "owner@karak.test",
      sPhoneNumber: "+974 5512 3456",
      sPassword: "a long new password",
      branch: { sBranchName: "The Pearl", sCity: "Doha" },
    },
  }),
  bind(merchantCalls.decideMerchant, decideMerchant, {
    summary: "Approves (A) or rejects (R, with sReason) a merchant, and emails its owner.",
    message: "api.merchantDecided",
    example: { eStatus: "A" },
  }),
  bind(merchantCalls.getMerchant, getMerchant, { summary: "One merchant with its documents and branches." }),
  bind(merchantCalls.viewSettings, viewSettings, {
    summary: "The settings of a merchant, and the higher allowance that waits.",
  }),
  bind(merchantCalls.changeSettings, changeSettings, {
    summary:
      "Changes any of a merchant's settings. A higher allowance by an administrator waits 24 hours while points are outstanding (oPending).",
    message: "api.settingsSaved",
    example: { iRefundDays: 7, aTenders: ["cash", "card"], bAskSaleRef: true },
  }),
  bind(merchantCalls.suspendMerchant, suspendMerchant, {
    summary: "Suspends a merchant (with sReason) or ends its suspension, and emails its owner.",
    message: "api.merchantSuspension",
    example: { bSuspended: true, sReason: "The trade licence has expired." },
  }),
  bind(merchantCalls.listMerchants, listMerchants, {
    summary: "The merchants, newest first by default, for administrators.",
  }),
]);
