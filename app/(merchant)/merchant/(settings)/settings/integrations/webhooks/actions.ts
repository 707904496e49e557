"use server";

import { action } from "@/lib/api/action";
import {
  createWebhook,
  deleteWebhook,
  replayWebhook,
  rotateWebhook,
  testWebhook,
  updateWebhook,
} from "@/lib/webhooks/change-webhooks";

export const createWebhookAction = action(createWebhook);
export const updateWebhookAction = action(updateWebhook);
export const rotateWebhookAction = action(rotateWebhook);
export const deleteWebhookAction = action(deleteWebhook);
export const testWebhookAction = action(testWebhook);
export const replayWebhookAction = action(replayWebhook);
