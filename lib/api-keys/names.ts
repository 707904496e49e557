import { z } from "zod";
import { absentIfNull, fields, instantText, nullable, pageOf } from "@/lib/calls/codec";
import { branchRef, doneReply, idParams, merchantRef, namedRef } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import { KEY_SCOPES } from "@/lib/domain/key-scopes";
import { KEY_STATES } from "./model";

const limit = absentIfNull(z.number().int());
const moment = absentIfNull(instantText);

const keyFields = {
  _id: ["id", z.string()],
  /** The first characters of its newest secret. */
  sPrefix: ["prefix", z.string()],
  sName: ["name", z.string()],
  aScopes: ["scopes", z.array(z.enum(KEY_SCOPES))],
  eState: ["state", z.enum(KEY_STATES)],
  merchant: ["merchant", merchantRef],
  /** The one branch that it posts at; null: any of the merchant. */
  branch: ["branch", nullable(branchRef)],
  /** The addresses and ranges that may use it; empty: all. */
  aAddresses: ["addresses", z.array(z.string())],
  /** Points of one posting or hold, and points added in a day; absent where the owner set no limit. */
  iMaxPointsOne: ["maxPointsOne", limit],
  iMaxPointsDay: ["maxPointsDay", limit],
  iMaxHoldSeconds: ["maxHoldSeconds", limit],
  /** Whether it may add to cards that staff hold. */
  bStaffCards: ["staffCards", z.boolean()],
  /** Null where an administrator made it. */
  createdBy: ["createdBy", nullable(namedRef)],
  dCreatedAt: ["createdAt", instantText],
  dLastUsedAt: ["lastUsedAt", moment],
  /** Until when the secret of before is good, while it is rotating. */
  dOlderEndsAt: ["olderEndsAt", moment],
  dRevokedAt: ["revokedAt", moment],
  /** Requests in the last 24 hours. */
  iCallsOfDay: ["callsOfDay", z.number().int()],
} as const;
const keyReply = fields(keyFields);
/** The secret is in the answer that made it and nowhere else. */
const secretReply = fields({ ...keyFields, sKey: ["secret", z.string()] });

export type ApiKey = Parameters<typeof keyReply.from>[0];
export type ApiKeyWithSecret = Parameters<typeof secretReply.from>[0];

const settingsWire = {
  sName: "name",
  aScopes: "scopes",
  iBranchId: "branchId",
  aAddresses: "addresses",
  iMaxPointsOne: "maxPointsOne",
  iMaxPointsDay: "maxPointsDay",
  iMaxHoldSeconds: "maxHoldSeconds",
  bStaffCards: "staffCards",
} as const;

export const apiKeyCalls = {
  listApiKeys: {
    method: "GET",
    path: "api-keys",
    query: { ...same("cursor", "limit", "state"), iMerchantId: "merchantId" },
    reply: pageOf(keyReply),
  },
  createApiKey: {
    method: "POST",
    path: "api-keys",
    body: { ...settingsWire, iMerchantId: "merchantId" },
    reply: secretReply,
  },
  updateApiKey: {
    method: "PUT",
    path: "api-keys/{id}",
    params: idParams,
    body: settingsWire,
    reply: keyReply,
  },
  rotateApiKey: { method: "POST", path: "api-keys/{id}/rotate", params: idParams, reply: secretReply },
  revokeApiKey: { method: "DELETE", path: "api-keys/{id}", params: idParams, reply: keyReply },
  revokeLeakedKey: {
    method: "POST",
    path: "api-keys/revoke-leaked",
    body: { sKey: "secret" },
    reply: doneReply,
  },
} as const;
