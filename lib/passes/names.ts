import { idParams } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";

const registrationParams = same("device", "passType", "serial");

export const passCalls = {
  downloadApplePass: { method: "GET", path: "customer/{id}/apple-wallet-pass", params: idParams },
  googleSaveLink: { method: "GET", path: "customer/{id}/google-wallet-link", params: idParams },
  registerDevice: {
    method: "POST",
    path: "wallet/v1/devices/{device}/registrations/{passType}/{serial}",
    params: registrationParams,
    body: same("pushToken"),
  },
  unregisterDevice: {
    method: "DELETE",
    path: "wallet/v1/devices/{device}/registrations/{passType}/{serial}",
    params: registrationParams,
  },
  changedPasses: {
    method: "GET",
    path: "wallet/v1/devices/{device}/registrations/{passType}",
    params: same("device", "passType"),
    query: { passesUpdatedSince: "since" },
  },
  logWalletMessages: { method: "POST", path: "wallet/v1/log", body: same("logs") },
  latestPass: {
    method: "GET",
    path: "wallet/v1/passes/{passType}/{serial}",
    params: same("passType", "serial"),
  },
} as const;
