import { newKey } from "@/lib/files/storage";
import { editConfig } from "@/lib/points-config/edit-config";
import { userHold } from "@/lib/testing/contract/counter-examples";
import type { Call, DocumentedCall } from "@/lib/testing/contract/exchange";
import { inboxEntry, tillWithShift } from "@/lib/testing/contract/till-examples";
import type { World } from "@/lib/testing/contract/world";
import { apiKeyContext, contextOf, makeAdmin } from "@/lib/testing/factories";
import { makeHeld } from "@/lib/testing/pending";
import { makeTill } from "@/lib/testing/tills";
import { createWebhook, testWebhook } from "@/lib/webhooks/webhooks";

/** A field of a call that names a record. */
export type IdField = {
  name: string;
  inPath: boolean;
  /** Whether the call names a record by this field. */
  isIn(call: Call): boolean;
  put(call: Call, value: string): Call;
};

const isId = (domainName: string) => domainName === "id" || /Ids?$/.test(domainName);

type Place = "params" | "query" | "body";

/**
 * Answers the fields of a call that name a record, as its route declares them: parts of the path, and every
 * field whose name ends in Id, or in Ids for a list. In a list the foreign id is placed among the others.
 */
export function idFields({ spec, path }: DocumentedCall): IdField[] {
  const fieldOf = (place: Place, wire: string, name: string): IdField => {
    const inPath = place === "params";
    const sentIn = (call: Call) => call[place] as Record<string, unknown> | undefined;
    return {
      name,
      inPath,
      isIn: (call) => inPath || sentIn(call)?.[wire] !== undefined,
      put(call, value) {
        const sent = sentIn(call);
        const own = sent?.[wire];
        return { ...call, [place]: { ...sent, [wire]: Array.isArray(own) ? [...own, value] : value } };
      },
    };
  };
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, wire = ""]) => {
    const name = spec.params?.[wire];
    return fieldOf("params", wire, typeof name === "string" ? name : wire);
  });
  const others = (["query", "body"] as const).flatMap((place) =>
    Object.entries(spec[place] ?? {}).flatMap(([wire, name]) =>
      typeof name === "string" && isId(name) ? [fieldOf(place, wire, name)] : [],
    ),
  );
  return [...inPath, ...others];
}

/** Makes an API key of the shop. */
export const foreignKey = async ({ db, shop }: World): Promise<string> =>
  (await apiKeyContext(db, shop)).actor.keyId;

/** Makes a webhook of the shop. */
export const foreignWebhook = async ({ db, shop }: World): Promise<string> => {
  const known = await db.webhookEndpoint.findFirst({ where: { merchantId: shop.merchant.id } });
  if (known) return known.id;
  // Of a type that does not happen here: nothing is sent to an address that does not answer.
  const given = { url: "http://127.0.0.1:9/events", events: ["import.posted" as const] };
  return (await createWebhook(contextOf(db, shop.owner), given)).id;
};

/** Makes a pending change of the configuration at a new merchant. */
export const foreignPending = async (rival: World): Promise<string> => {
  const { merchantId } = await makeHeld(rival.db);
  const rules = { minTopUp: 1, maxTopUp: 300, maxBalance: 20_000, undoMinutes: 15, workerDailyCap: null };
  const edit = { ...rules, merchantId, dirhamsPerPoint: 100 };
  return (await editConfig(contextOf(rival.db, rival.users.super), edit)).pending?.id ?? "";
};

/** A till of another merchant. */
export const foreignTill = async (rival: World): Promise<string> =>
  (await makeTill(rival.db, rival.shop)).till.id;

/** The record that an `id` in the path of a call names, by the path's start. */
const PATHS: Record<string, (rival: World) => Promise<string> | string> = {
  "/branches/": async (rival) => (await rival.branch()).id,
  "/outlets/": async (rival) => (await rival.branch()).id,
  "/workers/": async (rival) => (await rival.worker()).id,
  "/merchants/": (rival) => rival.shop.merchant.id,
  "/admins/": async (rival) => (await makeAdmin(rival.db)).id,
  "/second-factors/": async (rival) => {
    const { id: userId } = await rival.worker();
    const data = { userId, kind: "totp", name: "Phone", secret: "x" } as const;
    return (await rival.db.secondFactor.create({ data, select: { id: true } })).id;
  },
  "/points-config/pending/": foreignPending,
  "/api-keys/": foreignKey,
  "/webhooks/": foreignWebhook,
  "/tills/": foreignTill,
  "/shifts/": async (rival) => (await tillWithShift(rival)).shift.id,
  "/offline-entries/": async (rival) => (await inboxEntry(rival)).id,
};

const NAMES: Record<string, (rival: World) => Promise<string> | string> = {
  customerId: async (rival) => (await rival.customer()).id,
  customerIds: async (rival) => (await rival.customer()).id,
  movementId: async (rival) => (await rival.movement()).id,
  merchantId: (rival) => rival.shop.merchant.id,
  branchId: (rival) => rival.shop.branch.id,
  workerId: (rival) => rival.users.worker.id,
  keyId: foreignKey,
  holdId: async (rival) => (await userHold(rival)).id,
  tillId: foreignTill,
  actorId: (rival) => rival.users.worker.id,
  // Ignored: an older client sends it.
  adminId: (rival) => rival.users.owner.id,
  eventId: async (rival) => {
    const event = await rival.db.event.findFirst({ where: { merchantId: rival.shop.merchant.id } });
    return (
      event?.id ??
      (await testWebhook(contextOf(rival.db, rival.shop.owner), { id: await foreignWebhook(rival) })).eventId
    );
  },
};

/** Another merchant's record for this field. Throws where this file has no rule for it. */
export async function foreignValue(operation: DocumentedCall, field: IdField, rival: World): Promise<string> {
  const byPath = Object.entries(PATHS).find(([start]) => operation.path.startsWith(start))?.[1];
  const make = field.name === "id" ? byPath : NAMES[field.name];
  if (!make) throw new Error(`no rule for ${field.name} of ${operation.name}`);
  return make(rival);
}

type Attempt = { who: string; call: Call };
/** The rule for a call without a session: `attempts` combine a caller's own secrets with another's ids. */
export type OpenRule = { refused: number[]; attempts(mine: Call, theirs: Call): Attempt[] };

/** Open to anybody who knows the id, because the call gives nothing to steal. */
const open: OpenRule = { refused: [], attempts: () => [] };
const guessed = (headers: Call["headers"] = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value.slice(0, -1)}~`]));
const secretOf = (refused: number[]): OpenRule => ({
  refused,
  attempts: (mine, theirs) => [
    { who: "a stranger", call: { ...theirs, headers: {} } },
    { who: "the holder of another", call: { ...theirs, headers: mine.headers ?? {} } },
    { who: "a guess", call: { ...theirs, headers: guessed(theirs.headers) } },
  ],
});
const registrationRule = secretOf([401]);

/** The calls without a session that take ids. */
export const OPEN: Record<string, OpenRule> = {
  "post /auth/send-otp": open,
  "post /customer-exist": open,
  "post /customers/register": {
    refused: [403],
    attempts: (mine, theirs) => {
      const [own, other] = [mine.body as Record<string, unknown>, theirs.body as Record<string, unknown>];
      return [
        {
          who: "somebody who proved another e-mail",
          call: { body: { ...other, sVerification: own.sVerification } },
        },
        { who: "a stranger", call: { body: { ...other, sVerification: undefined } } },
      ];
    },
  },
  "get /customer/{id}/apple-wallet-pass": open,
  "get /customer/{id}/balance": open,
  "get /customer/{id}/google-wallet-link": open,
  "get /customer/{id}/loyalty-card.pdf": open,
  "get /customer/{id}/my-data": secretOf([403]),
  "get /media/{key}": {
    refused: [404],
    attempts: () =>
      ["documents/1", "../auth-secret", "images/../../x", "images/x\0.webp", newKey("image")].map((key) => ({
        who: key,
        call: { params: { key: key.split("/") } },
      })),
  },
  "put /media/upload/{token}": {
    refused: [403],
    attempts: (mine, theirs) => {
      const token = String(theirs.params?.token);
      const [claims = "", mac = ""] = token.split(".");
      const own = String(mine.params?.token).split(".");
      return [`${claims}.${own[1]}`, `${own[0]}.${mac}`, claims, `${token}A`, "x"].map((forged) => ({
        who: "a forged token",
        call: { ...theirs, params: { token: forged } },
      }));
    },
  },
  "post /wallet/v1/devices/{device}/registrations/{passType}/{serial}": registrationRule,
  "delete /wallet/v1/devices/{device}/registrations/{passType}/{serial}": registrationRule,
  // Apple asks with the device's own secret id only.
  "get /wallet/v1/devices/{device}/registrations/{passType}": open,
  "get /wallet/v1/passes/{passType}/{serial}": registrationRule,
  "post /auth/pin": {
    refused: [400, 401, 403, 404],
    // Another till counts the try at itself, which lib/tills tests.
    attempts: (_mine, theirs) => [
      { who: "a device without a till's key", call: { ...theirs, till: undefined } },
    ],
  },
  "get /cron": {
    refused: [401],
    attempts: (_mine, theirs) =>
      ["", "Bearer ", "Bearer x", `${theirs.headers?.authorization}x`].map((authorization) => ({
        who: "a guess",
        call: { headers: { authorization } },
      })),
  },
};
