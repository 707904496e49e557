"use server";

import { action } from "@/lib/api/action";
import { createApiKey, revokeApiKey, rotateApiKey, updateApiKey } from "@/lib/api-keys/api-keys";
import { cancelProfileChange, updateBusiness } from "@/lib/merchants/business";
import { resolveEntry } from "@/lib/tills/offline-inbox";
import { createTill, retireTill, updateTill } from "@/lib/tills/tills";
import {
  createWebhook,
  deleteWebhook,
  replayWebhook,
  rotateWebhook,
  testWebhook,
  updateWebhook,
} from "@/lib/webhooks/webhooks";

export const resolveEntryAction = action(resolveEntry);

export const updateBusinessAction = action(updateBusiness);
export const cancelProfileChangeAction = action(cancelProfileChange);

export const createApiKeyAction = action(createApiKey);
export const updateApiKeyAction = action(updateApiKey);
export const rotateApiKeyAction = action(rotateApiKey);
export const revokeApiKeyAction = action(revokeApiKey);

export const createWebhookAction = action(createWebhook);
export const updateWebhookAction = action(updateWebhook);
export const rotateWebhookAction = action(rotateWebhook);
export const deleteWebhookAction = action(deleteWebhook);
export const testWebhookAction = action(testWebhook);
export const replayWebhookAction = action(replayWebhook);

export const createTillAction = action(createTill);
export const updateTillAction = action(updateTill);
export const retireTillAction = action(retireTill);
