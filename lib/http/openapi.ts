import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiParameters,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import { isOwnAccount } from "@/lib/domain/actor";
import type { ErrorCode } from "@/lib/domain/errors";
import { idempotencyKeySchema } from "@/lib/domain/movements";
import { errorText } from "@/lib/i18n/translate";
import { STATUS } from "./reply";
import type { AnyRouteSpec } from "./route";
import { wireSchema } from "./wire/names";
import { factorRequestData } from "./wire/second-factor";

export type Method = "get" | "post" | "put" | "patch" | "delete";
export type ApiRoute = { path: string; method: Method; spec: AnyRouteSpec };

/** The description of each tag. */
export const TAGS: Record<string, string> = {
  Accounts: "Sign-in, your account and its sessions.",
  Administrators: "The platform's administrators, for a super administrator.",
  "Customer sign-up": "A customer proves an e-mail and gets a card.",
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
  Tills: "Devices at the counter, the PINs of their workers, and what they kept without a connection.",
  Shifts: "The drawers of tills, from the opening to the count.",
  "Points configuration": "What a point is worth, and the limits.",
  Files: "Uploads by a presigned URL.",
  "Apple Wallet": "Apple's web service for passes, as Apple documents it.",
  Operations: "Health, readiness and background work.",
};

/** The error codes of a call: those that its kind of input implies, and those of its operation. */
function errorCodesOf({ method, spec }: ApiRoute): ErrorCode[] {
  const secured = spec.permission !== "public";
  const codes: ErrorCode[] = [
    ...(spec.body || spec.query || spec.params ? (["validation"] as const) : []),
    ...(spec.body || spec.query ? (["malformed"] as const) : []),
    ...(spec.body || spec.raw ? (["too_large"] as const) : []),
    ...(spec.body ? (["unsupported_type"] as const) : []),
    ...(spec.params ? (["not_found"] as const) : []),
    ...(secured ? (["unauthenticated", "session_ended", "forbidden"] as const) : []),
    ...(secured && !isOwnAccount(spec.permission)
      ? (["merchant_pending", "merchant_rejected"] as const)
      : []),
    ...(secured && !isOwnAccount(spec.permission) && method !== "get"
      ? (["merchant_suspended"] as const)
      : []),
    ...(secured && spec.permission !== "account.security" && spec.permission !== "session.end"
      ? (["enrolment_required"] as const)
      : []),
    ...(spec.stepUp ? (["step_up_required"] as const) : []),
    ...(secured || spec.needsTill ? (["invalid_dpop_proof", "use_dpop_nonce", "malformed"] as const) : []),
    "rate_limited",
    "internal",
    "unavailable",
    ...spec.errors,
  ];
  return [...new Set(codes)];
}

// Omits the bounds that zod adds to integers.
const integer = z.number().meta({ override: { type: "integer" } });

/** A response header, defined once among the components. */
function header(id: string, description: string, schema: z.ZodType = integer) {
  return schema.optional().meta({ header: { id, description } });
}
const rateLimits = z.object({
  "RateLimit-Limit": header("RateLimitLimit", "Requests allowed in the window."),
  "RateLimit-Remaining": header("RateLimitRemaining", "Requests left in the window."),
  "RateLimit-Reset": header("RateLimitReset", "Seconds until the window begins anew."),
});
const retryAfter = rateLimits.extend({ "Retry-After": header("RetryAfter", "Seconds to wait.") });
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

const errorSchema = z
  .object({
    status: integer,
    message: z.string().meta({ description: "A sentence for a person, in the caller's language." }),
    code: z.string().meta({ description: "A stable word for a program." }),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    data: factorRequestData
      .optional()
      .meta({ description: "With `second_factor_required`: what the second step needs." }),
    requestId: z.string().optional(),
  })
  // Clients must accept further fields in answers.
  .meta({ unusedIO: "input" });

function errorResponses(route: ApiRoute): ZodOpenApiResponsesObject {
  const byStatus = [...Map.groupBy(errorCodesOf(route), (code) => STATUS[code])].sort(([a], [b]) => a - b);
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, codes] of byStatus) {
    const [code = "internal"] = codes;
    const params = { seconds: 30, limit: 50, balance: 120, reason: "" };
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
      },
    };
  }
  return responses;
}

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
  const headers = spec.idempotent ? replayed : rateLimits;
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

function parametersOf(spec: AnyRouteSpec): ZodOpenApiParameters {
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

function operationId({ path, method }: ApiRoute): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return [method, ...words.map((word) => word[0]?.toUpperCase() + word.slice(1))].join("");
}

function securityOf({ secret, permission }: AnyRouteSpec) {
  if (secret) return [{ [secret]: [] }];
  return permission === "public" ? [] : [{ session: [] }];
}

function contentOf({ body, raw, input, example }: AnyRouteSpec) {
  if (raw) return { "application/octet-stream": { schema: {} } };
  return body && { "application/json": { schema: wireSchema(input, body), example } };
}

function operation(route: ApiRoute): ZodOpenApiOperationObject {
  const { spec } = route;
  const content = contentOf(spec);
  const requestParams = parametersOf(spec);
  return {
    operationId: operationId(route),
    summary: spec.summary,
    tags: [spec.tag],
    security: securityOf(spec),
    // The document omits an empty list.
    ...(Object.keys(requestParams).length > 0 ? { requestParams } : {}),
    ...(content ? { requestBody: { required: true, content } } : {}),
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
  cron: { type: "http", scheme: "bearer", description: "CRON_SECRET of the installation." },
  till: {
    type: "apiKey",
    in: "header",
    name: "DPoP",
    description: "A paired till's proof (RFC 9449).",
  },
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
    components: { securitySchemes, schemas: { Error: errorSchema } },
  });
}
