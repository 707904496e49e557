import { idParams } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";

const passParams = same("passType", "serial");
const deviceParams = same("device", "passType");
const registrationParams = same("device", "passType", "serial");
const registrationBody = same("pushToken");
const changedQuery = { passesUpdatedSince: "since" } as const;
const logBody = same("logs");

/** The calls of passes, as both sides know them. */
export const passCalls = {
  downloadApplePass: { method: "GET", path: "customer/{id}/apple-wallet-pass", params: idParams },
  googleSaveLink: { method: "GET", path: "customer/{id}/google-wallet-link", params: idParams },
  registerDevice: {
    method: "POST",
    path: "wallet/v1/devices/{device}/registrations/{passType}/{serial}",
    params: registrationParams,
    body: registrationBody,
  },
  unregisterDevice: {
    method: "DELETE",
    path: "wallet/v1/devices/{device}/registrations/{passType}/{serial}",
    params: registrationParams,
  },
  changedPasses: {
    method: "GET",
    path: "wallet/v1/devices/{device}/registrations/{passType}",
    params: deviceParams,
    query: changedQuery,
  },
  logWalletMessages: { method: "POST", path: "wallet/v1/log", body: logBody },
  latestPass: { method: "GET", path: "wallet/v1/passes/{passType}/{serial}", params: passParams },
} as const;
