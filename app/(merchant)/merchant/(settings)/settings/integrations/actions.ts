"use server";

import { action } from "@/lib/api/action";
import { createApiKey, revokeApiKey, rotateApiKey, updateApiKey } from "@/lib/api-keys/change-keys";

export const createApiKeyAction = action(createApiKey);
export const updateApiKeyAction = action(updateApiKey);
export const rotateApiKeyAction = action(rotateApiKey);
export const revokeApiKeyAction = action(revokeApiKey);
