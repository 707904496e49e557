import { bind, tagged } from "@/lib/calls/bind";
import { webhookCalls } from "./names";
import { listEvents } from "./read-events";
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  replayWebhook,
  rotateWebhook,
  testWebhook,
  updateWebhook,
} from "./webhooks";

export const webhookApi = tagged("Webhooks", [
  bind(webhookCalls.listEvents, listEvents, {
    summary:
      "What happened at the merchant in the last 90 days, oldest first. nextCursor is where to go on with after, also at the end.",
  }),
  bind(webhookCalls.updateWebhook, updateWebhook, {
    summary: "Changes a webhook. What is left out stays; eState active ends its being disabled.",
    message: "api.webhookUpdated",
    example: { aEvents: ["topup.posted", "redeem.posted"], eState: "active" },
  }),
  bind(webhookCalls.deleteWebhook, deleteWebhook, {
    summary: "Deletes a webhook and its log. Nothing more is sent.",
    message: "api.webhookDeleted",
  }),
  bind(webhookCalls.rotateWebhook, rotateWebhook, {
    summary: "Gives a webhook a new secret, in this answer only. Both secrets sign for 24 hours.",
    message: "api.webhookRotated",
  }),
  bind(webhookCalls.testWebhook, testWebhook, {
    summary: "Sends the webhook an endpoint.test.",
    message: "api.webhookTested",
  }),
  bind(webhookCalls.listDeliveries, listDeliveries, {
    summary:
      "What was sent to a webhook in the last 30 days, newest first, with each attempt and its answer.",
  }),
  bind(webhookCalls.replayWebhook, replayWebhook, {
    summary: "Sends again one event, those of a range of time, or what failed. Answers how many.",
    message: "api.webhookReplayed",
    example: { bFailedOnly: true, dFrom: "2026-11-24T08:00:00.000Z" },
  }),
  bind(webhookCalls.listWebhooks, listWebhooks, {
    summary: "The webhooks of the caller's merchant, newest first.",
  }),
  bind(webhookCalls.createWebhook, createWebhook, {
    summary:
      "Makes a webhook: an https address that gets what happens from now on, signed by Standard Webhooks. sSecret is in this answer only.",
    message: "api.webhookCreated",
    example: {
      sUrl: "https://shop.example/wallet-events",
      aEvents: ["topup.posted", "redeem.posted", "reversal.posted"],
      bAsymmetric: false,
    },
  }),
]);
