import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiParameters,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import { factorRequestReply } from "@/lib/accounts/names";
import { isOwnAccount } from "@/lib/domain/actor";
import { type ErrorCode, STATUS } from "@/lib/domain/error-status";
import type { Locale } from "@/lib/domain/roles";
import { holdCodec } from "@/lib/holds/names";
import { errorText } from "@/lib/i18n/translate";
import { idempotencyKeySchema } from "@/lib/ledger/model/movements";
import { EVENT_TYPES, type EventType } from "@/lib/webhooks/model";
import { eventSchema } from "@/lib/webhooks/names";
import { PROBLEM_TYPE } from "./reply";
import { type RouteSpec, wireSchema } from "./route";

export type Method = "get" | "post" | "put" | "patch" | "delete";
export type ApiRoute = { path: string; method: Method; spec: RouteSpec };

const when = (isSo: unknown, ...codes: ErrorCode[]): ErrorCode[] => (isSo ? codes : []);

function errorCodesOf({ method, spec }: ApiRoute): ErrorCode[] {
  const secured = spec.permission !== "public";
  const ofMerchant = secured && !isOwnAccount(spec.permission);
  const mustEnrol = secured && spec.permission !== "account.security" && spec.permission !== "session.end";
  const codes: ErrorCode[] = [
    ...when(spec.body || spec.query || spec.params, "validation"),
    ...when(spec.body || spec.query, "malformed"),
    ...when(spec.body || spec.raw, "too_large"),
    ...when(spec.body, "unsupported_type"),
    ...when(spec.params, "not_found"),
    ...when(secured, "unauthenticated", "session_ended", "forbidden"),
    ...when(ofMerchant, "merchant_pending", "merchant_rejected"),
    ...when(ofMerchant && method !== "get", "merchant_suspended"),
    ...when(mustEnrol, "enrolment_required"),
    ...when(spec.stepUp, "step_up_required"),
    ...when(secured || spec.needsTill, "invalid_dpop_proof", "use_dpop_nonce", "malformed"),
    "key_in_query",
    ...when(spec.keyScope !== null, "unauthenticated", "forbidden", "key_address", "merchant_suspended"),
    "rate_limited",
    "internal",
    "unavailable",
    ...spec.errors,
  ];
  // A user's request waits for the first result of its key: only an API key is told that it is under way.
  return [...new Set(codes)].filter((code) => code !== "in_progress" || spec.keyScope !== null);
}

// Omits the bounds that zod adds to integers.
const integer = z.number().meta({ override: { type: "integer" } });

function header(id: string, description: string, schema: z.ZodType = integer) {
  return schema.optional().meta({ header: { id, description } });
}

const rateLimits = z.object({
  "RateLimit-Policy": header("RateLimitPolicy", "The limit that counts (IETF draft 11).", z.string()),
  RateLimit: header("RateLimit", "What is left of it (IETF draft 11).", z.string()),
  "RateLimit-Limit": header("RateLimitLimit", "Requests allowed in the window."),
  "RateLimit-Remaining": header("RateLimitRemaining", "Requests left in the window."),
  "RateLimit-Reset": header("RateLimitReset", "Seconds until the window begins anew."),
});
const linked = { Link: header("Link", 'The next page of the list: `<…>; rel="next"`.', z.string()) };
const retryAfter = rateLimits.extend({ "Retry-After": header("RetryAfter", "Seconds to wait.") });
const errorSchema = z
  .object({
    status: integer,
    message: z.string().meta({ description: "A sentence for a person, in the caller's language." }),
    code: z.string().meta({ description: "A stable word for a program." }),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    data: z
      .union([
        factorRequestReply.schema,
        z.object({ hold: holdCodec.schema }),
        z.object({ aMovementIds: z.array(z.string()) }),
        z.object({ aHoldIds: z.array(z.string()) }),
      ])
      .optional()
      .meta({
        description:
          "With `second_factor_required`: what the second step needs. With refusals of holds, and `already_spent` by one: the hold. With `ambiguous`: what has the bill number.",
      }),
    requestId: z.string().optional(),
  })
  // Clients must accept further fields in answers.
  .meta({ unusedIO: "input" });

/** The same by RFC 9457, for callers that accept it. */
const problemSchema = errorSchema
  .omit({ message: true })
  .extend({ type: z.string(), title: z.string(), detail: z.string() })
  .meta({ unusedIO: "input" });

/** The values in the sentences of the examples. */
const params = {
  seconds: 30,
  limit: 50,
  balance: 120,
  reason: "",
  known: "yes",
  till: "Front",
  why: "private",
  address: "203.0.113.7",
};

/** Every refusal of the API by its code: its status, and its sentence in a language with example values. */
export const errorList = (locale: Locale) =>
  (Object.keys(STATUS) as ErrorCode[])
    .sort()
    .map((code) => ({ code, status: STATUS[code], text: errorText(locale, { code, params }) }));

function errorResponses(route: ApiRoute): ZodOpenApiResponsesObject {
  const byStatus = [...Map.groupBy(errorCodesOf(route), (code) => STATUS[code])].sort(([a], [b]) => a - b);
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, codes] of byStatus) {
    const [code = "internal"] = codes;
    responses[`${status as 400}`] = {
      description: codes.map((one) => `\`${one}\``).join(", "),
      ...(status === 429 || status === 503 ? { headers: retryAfter } : {}),
      content: {
        "application/json": {
          schema: {
            allOf: [
              { $ref: "#/components/schemas/Error" },
              { type: "object", properties: { status: { const: status }, code: { enum: codes } } },
            ],
          },
          example: {
            status,
            message: errorText("en", { code, params }),
            code,
            ...(status >= 500 ? { requestId: "7f8de9ae-6b57-4f02-9f3f-0f7f2c9e4a51" } : {}),
          },
        },
        [PROBLEM_TYPE]: { schema: { $ref: "#/components/schemas/Problem" } },
      },
    };
  }
  return responses;
}

const eventHeaders = z.object({
  "webhook-id": z.string().meta({ description: "The event's id: the same in every attempt and replay." }),
  "webhook-timestamp": z.string().meta({ description: "When this attempt was made, in seconds since 1970." }),
  "webhook-signature": z.string().meta({
    description:
      "Signatures of Standard Webhooks, parted by spaces: v1 (HMAC-SHA-256), v1a (ed25519) if it is wanted.",
  }),
});

const MOMENT = "2026-11-25T08:30:00.000Z";
const customer = { sUUID: "7d9a3c52-5b0e-4f39-9c1a-8e2f64d0b713" };
const hold = {
  _id: "0199aa10-9b11-7f02-9d45-2c6a1f08e3b7",
  eState: "open",
  iPoints: 40,
  iCaptured: 0,
  iRemaining: 40,
  dExpiresAt: "2026-11-25T08:25:00.000Z",
  oDrawn: { iPaid: 40, iBonus: 0 },
  sSaleRef: "INV-1043",
  branch: { _id: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19" },
  actor: { eType: "apiKey", _id: "0199aa10-7a02-7c18-9b3f-6e1d4a5c8f70" },
  iHeld: 40,
  iAvailable: 60,
};
const shift = {
  _id: "0199aa10-8d20-7b5e-8c11-4a7f9e02d6c3",
  iNumber: 118,
  branch: { _id: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19" },
  till: { _id: "0199aa10-7e01-7a3c-9f62-1b8d5c4e7a90" },
  dOpenedAt: "2026-11-25T05:00:00.000Z",
  dClosedAt: MOMENT,
  iDifference: 0,
};
const MOVED = {
  "topup.posted": ["TOP_UP", 100],
  "redeem.posted": ["REDEEM", -25],
  "refund.posted": ["REFUND", 10],
  "bonus.posted": ["BONUS", 20],
  "reversal.posted": ["REVERSAL", -100],
  "expiry.posted": ["EXPIRY", -20],
  "adjustment.posted": ["ADJUSTMENT", -5],
  "import.posted": ["IMPORT", 300],
} as const;

function movementOf(eType: string, sPoints: number) {
  const isBonus = eType === "BONUS" || eType === "EXPIRY";
  return {
    _id: "0199aa10-aa31-7c60-8e02-93b1d7f45a28",
    eType,
    sPoints,
    sPointsValue: `${Math.abs(sPoints)}.00`,
    iPaid: isBonus ? 0 : sPoints,
    iBonus: isBonus ? sPoints : 0,
    sBalance: 420,
    sCashValue: "420.00",
    oPockets: { iPaid: 400, iBonus: 20 },
    eTender: eType === "TOP_UP" ? "online" : null,
    sSaleRef: "ORDER-1001",
    dOccurredAt: MOMENT,
    dCreatedAt: MOMENT,
    actor: { eType: "apiKey", _id: "0199aa10-6f00-7e8b-9b3d-7c2a5d1e4f06", sName: "Web shop" },
    branch: { _id: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19", sBranchName: "West Bay" },
    till: null,
  };
}

function eventData(type: EventType) {
  if (type in MOVED) {
    const [eType, points] = MOVED[type as keyof typeof MOVED];
    return { iSeq: 12, customer, movement: movementOf(eType, points) };
  }
  if (type.startsWith("hold.")) return { iSeq: 12, customer, hold };
  const eStatus = type === "customer.frozen" ? "frozen" : "active";
  if (type.startsWith("customer.")) return { iSeq: 12, customer: { ...customer, eStatus } };
  return type === "shift.closed" ? { shift } : {};
}

/** An event of each type, as its receiver gets it. */
export const eventExample = (type: EventType) => ({ type, timestamp: MOMENT, data: eventData(type) });

/** "get" and "/branches/{id}" make "getBranchesId". */
const operationId = (start: string, path: string) =>
  [start, ...path.split(/[^A-Za-z0-9]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join(
    "",
  );

const webhooksOf = (): ZodOpenApiPathsObject =>
  Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: operationId("on", type),
          summary: `An event of the type ${type}.`,
          tags: ["Webhooks"],
          security: [],
          requestParams: { header: eventHeaders },
          requestBody: {
            required: true,
            content: { "application/json": { schema: eventSchema(type), example: eventExample(type) } },
          },
          responses: {
            "2XX": { description: "Accepted. Anything else is tried again." },
            "410": { description: "Gone: the webhook is disabled." },
          },
        },
      },
    ]),
  );

export const TAGS: Record<string, string> = {
  Accounts: "Sign-in, your account and its sessions.",
  Administrators: "The platform's administrators, for a super administrator.",
  "Customer sign-up": "A customer proves an email and gets a card.",
  "Customer card": "What a card holder reads and downloads, by the card's private id.",
  Customers: "The customers of a merchant, for its staff.",
  Counter: "Finding who stands at the counter; top-ups, redeems and reversals.",
  Transactions: "The log of every movement.",
  Ledger: "What proves the ledger: its check, its journal, what is owed to customers.",
  Activity: "What everybody did, from the audit log.",
  Merchants: "Merchant sign-up and approval.",
  Branches: "Branches of a merchant.",
  Outlets: "The super administrator's view of all merchants' branches.",
  Workers: "Workers of a merchant.",
  Holds: "Points that are reserved now and redeemed later, or not.",
  "API keys": "The keys with which other software calls this API, for the merchant's owner.",
  Webhooks: "What happened at a merchant, and where it is sent.",
  Tills: "Devices at the counter, the PINs of their workers, and what they kept without a connection.",
  Shifts: "The drawers of tills, from the opening to the count.",
  "Points configuration": "What a point is worth, and the limits.",
  Files: "Uploads by a presigned URL.",
  "Apple Wallet": "Apple's web service for passes, as Apple documents it.",
  Operations: "Health, readiness and background work.",
};

const replayed = rateLimits.extend({
  "Idempotency-Replayed": header(
    "IdempotencyReplayed",
    "`true` when the first result was answered again.",
    z.literal("true"),
  ),
});

const idempotencyKey = idempotencyKeySchema.optional().meta({
  param: {
    id: "IdempotencyKey",
    description:
      "Unique for the caller. The same key with the same request answers the first result again and posts nothing; with another request it is refused with 422.",
    example: "3f0a1c2e-top-up-1",
  },
});

function successOf({ spec }: ApiRoute): ZodOpenApiResponsesObject {
  const description = "Done.";
  if (spec.respond) {
    const { contentType, statuses = [200], schema = z.string() } = spec.respond;
    const content = { [contentType]: { schema } };
    return Object.fromEntries(
      statuses.map((status) => [
        String(status),
        { description, headers: rateLimits, ...(status === 200 ? { content } : {}) },
      ]),
    );
  }
  const schema = z.object({
    status: z.literal(200),
    message: z.string(),
    data: spec.reply?.schema ?? z.unknown(),
  });
  const known = spec.idempotent && spec.headers ? replayed : rateLimits;
  const isPaged = spec.query && ("cursor" in spec.query || "after" in spec.query);
  const headers = isPaged ? known.extend(linked) : known;
  const file = spec.download ? { [spec.download.contentType]: { schema: z.string() } } : {};
  return { "200": { description, headers, content: { "application/json": { schema }, ...file } } };
}

const dpopParam = (id: string) => ({
  param: {
    id,
    description:
      "The till's proof (RFC 9449: ES256, `htm`, `htu`, `iat`, `jti`; `ath` beside a token), with the base64url SHA-256 of the body as `bh`. A session that a PIN opened needs it on every call.",
  },
});
const dpop = z.string().meta(dpopParam("DPoP"));
const optionalDpop = z.string().optional().meta(dpopParam("OptionalDPoP"));

function parametersOf(spec: RouteSpec): ZodOpenApiParameters {
  const { input, params, query, idempotent, needsTill } = spec;
  const secured = spec.permission !== "public" || needsTill;
  const header = {
    ...(secured ? { DPoP: needsTill ? dpop : optionalDpop } : {}),
    ...(idempotent ? { "Idempotency-Key": idempotencyKey } : {}),
  };
  return {
    ...(params ? { path: wireSchema(input, params) } : {}),
    ...(query ? { query: wireSchema(input, query) } : {}),
    ...(Object.keys(header).length > 0 ? { header: z.object(header) } : {}),
  };
}

function securityOf({ secret, permission, keyScope }: RouteSpec) {
  if (secret) return [{ [secret]: [] }];
  if (permission === "public") return [];
  const key = keyScope === null ? [] : [{ apiKey: keyScope === "any" ? [] : [keyScope] }];
  return [{ session: [] }, ...key];
}

function contentOf({ body, raw, input, example }: RouteSpec) {
  if (raw) return { "application/octet-stream": { schema: {} } };
  return body && { "application/json": { schema: wireSchema(input, body), example } };
}

/** Whether a call does what it does by default when its body is left out, whatever its ids. */
function isBodyRequired({ input, body, params }: RouteSpec): boolean {
  const ids = Object.fromEntries(Object.values(params ?? {}).map((field) => [field, customer.sUUID]));
  return !body || !input.safeParse(ids).success;
}

function operation(route: ApiRoute): ZodOpenApiOperationObject {
  const { spec } = route;
  const content = contentOf(spec);
  const requestParams = parametersOf(spec);
  return {
    operationId: operationId(route.method, route.path),
    summary: spec.summary,
    tags: [spec.tag],
    security: securityOf(spec),
    // The document omits an empty list.
    ...(Object.keys(requestParams).length > 0 ? { requestParams } : {}),
    ...(content ? { requestBody: { required: isBodyRequired(spec), content } } : {}),
    responses: { ...successOf(route), ...errorResponses(route) },
  };
}

const securitySchemes = {
  session: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "The token that `POST /auth/login` answers, as it is, without a `Bearer` prefix.",
  },
  apiKey: {
    type: "http",
    scheme: "bearer",
    description:
      "An API key of the merchant: `Authorization: Bearer wk_live_…`. Each call names the scope that the key needs; calls without this scheme answer 403. Postings need an `Idempotency-Key`.",
  },
  cron: { type: "http", scheme: "bearer", description: "CRON_SECRET of the installation." },
  till: { type: "apiKey", in: "header", name: "DPoP", description: "A paired till's proof (RFC 9449)." },
  applePass: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "`ApplePass ` and the pass's own authentication token.",
  },
} as const;

/** The OpenAPI 3.1 document of these routes, generated from the schemas that validate their input. */
export function openApiDocument(routes: ApiRoute[]) {
  const used = new Set(routes.map(({ spec }) => spec.tag));
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  }
  return createDocument({
    openapi: "3.1.0",
    info: {
      title: "Loyalty Wallet",
      version: "1.0.0",
      description:
        "Cash loyalty cards: customers, balances in points, top-ups and redeems. Amounts are whole points; QAR values are decimal strings; times are ISO 8601 in UTC.",
      license: { name: "MIT", identifier: "MIT" },
    },
    // Relative, so that it works on every host.
    servers: [{ url: "/api" }],
    tags: [...used].sort().map((name) => ({ name, description: TAGS[name] ?? name })),
    paths,
    // The document of a part of the routes has none.
    ...(used.has("Webhooks") ? { webhooks: webhooksOf() } : {}),
    components: { securitySchemes, schemas: { Error: errorSchema, Problem: problemSchema } },
  });
}
