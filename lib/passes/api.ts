import { z } from "zod";
import { bind, later, tagged } from "@/lib/calls/bind";
import { fileResponse } from "@/lib/files/csv";
import { passCalls } from "./names";

const applePass = () => import("./apple-pass");
const googleWallet = () => import("./google-wallet");
const webService = () => import("./web-service");

/** The answer with a .pkpass file and the headers that Apple's web service requires: its type and when it last changed. */
function passResponse(file: { bytes: Uint8Array; changedAt: Date; businessName: string }): Response {
  const name = file.businessName.trim().replace(/[\s/\\]+/gu, "-");
  const answer = fileResponse("application/vnd.apple.pkpass", `${name}.pkpass`, file.bytes);
  answer.headers.set("Last-Modified", file.changedAt.toUTCString());
  return answer;
}

export const passApi = tagged("Apple Wallet", [
  bind(passCalls.downloadApplePass, later(applePass, "downloadApplePass"), {
    summary: "The Apple Wallet pass of a card, by its private id.",
    tag: "Customer card",
    respond: { contentType: "application/vnd.apple.pkpass", from: passResponse },
  }),
  bind(passCalls.googleSaveLink, later(googleWallet, "googleSaveLink"), {
    summary: "Redirects to Google's page that saves the card to Google Wallet, by the card's private id.",
    tag: "Customer card",
    respond: {
      contentType: "text/plain",
      statuses: [303],
      from: ({ url }) =>
        new Response(null, { status: 303, headers: { Location: url, "Cache-Control": "no-store" } }),
    },
  }),
  bind(passCalls.registerDevice, later(webService, "registerDevice"), {
    summary: "Apple's web service: registers a device for a pass.",
    secret: "applePass",
    respond: {
      contentType: "text/plain",
      statuses: [200, 201],
      from: ({ created }) => new Response(null, { status: created ? 201 : 200 }),
    },
    example: { pushToken: "the token of the device at Apple's push service" },
  }),
  bind(passCalls.unregisterDevice, later(webService, "unregisterDevice"), {
    summary: "Apple's web service: unregisters a device from a pass.",
    secret: "applePass",
    respond: { contentType: "text/plain", from: () => new Response(null, { status: 200 }) },
  }),
  bind(passCalls.changedPasses, later(webService, "changedPasses"), {
    summary: "Apple's web service: the passes of a device that changed since a tag.",
    respond: {
      contentType: "application/json",
      statuses: [200, 204],
      schema: z.object({ serialNumbers: z.array(z.string()), lastUpdated: z.string() }),
      from: (changed) => (changed ? Response.json(changed) : new Response(null, { status: 204 })),
    },
  }),
  bind(passCalls.logWalletMessages, later(webService, "logWalletMessages"), {
    summary: "Apple's web service: error messages that a device reports.",
    limit: "heavy",
    respond: { contentType: "text/plain", from: () => new Response(null, { status: 200 }) },
    example: { logs: ["[2026-11-21 10:00:00 +0300] Web service error: no answer in time"] },
  }),
  bind(passCalls.latestPass, later(webService, "latestPass"), {
    summary: "Apple's web service: the latest version of a pass.",
    secret: "applePass",
    more: ({ headers }) => ({ ifModifiedSince: headers.get("if-modified-since") }),
    respond: {
      contentType: "application/vnd.apple.pkpass",
      statuses: [200, 304],
      from: (file) => (file ? passResponse(file) : new Response(null, { status: 304 })),
    },
  }),
]);
