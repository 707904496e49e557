import { bind, tagged } from "@/lib/calls/bind";
import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  revokeLeakedKey,
  rotateApiKey,
  updateApiKey,
} from "./api-keys";
import { DAY_POINTS } from "./model";
import { apiKeyCalls } from "./names";

export const apiKeyApi = tagged("API keys", [
  bind(apiKeyCalls.updateApiKey, updateApiKey, {
    summary:
      "Changes a key's name, scopes, branch, addresses or limits. What is left out stays; null ends a limit.",
    message: "api.keyUpdated",
    example: { sName: "Web shop", aScopes: ["customers.find", "topup"], iMaxPointsDay: 5_000 },
  }),
  bind(apiKeyCalls.revokeApiKey, revokeApiKey, {
    summary: "Revokes a key for good. Its next request is refused.",
    message: "api.keyRevoked",
  }),
  bind(apiKeyCalls.rotateApiKey, rotateApiKey, {
    summary: "Gives a key a new secret, in this answer only. The one before is good for 24 hours more.",
    message: "api.keyRotated",
  }),
  bind(apiKeyCalls.revokeLeakedKey, revokeLeakedKey, {
    summary:
      "Revokes a key that somebody found, by the key itself, and e-mails its owner. The answer never says whether the key was good.",
    example: { sKey: "wk_live_7Qm2xT9cVb4LsPz8RkN1dWfH0aJe3u" },
  }),
  bind(apiKeyCalls.listApiKeys, listApiKeys, {
    summary: "The API keys of the caller's merchant, newest first: those in use by default.",
  }),
  bind(apiKeyCalls.createApiKey, createApiKey, {
    summary: `Makes a key for other software. sKey is in this answer only. iMaxPointsDay bounds top-ups and bonus together, at ${DAY_POINTS.toLocaleString("en")} where it is not set.`,
    message: "api.keyCreated",
    example: {
      sName: "Web shop",
      aScopes: ["customers.find", "redeem"],
      iBranchId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19",
      aAddresses: ["203.0.113.0/24"],
      iMaxPointsOne: 500,
    },
  }),
]);
