import { z } from "zod";
import type { ErrorCode } from "@/lib/domain/errors";
import { errorText } from "@/lib/i18n/translate";
import { STATUS } from "./reply";
import type { AnyRouteSpec } from "./route";

export type Method = "get" | "post" | "put" | "patch" | "delete";
export type ApiRoute = { path: string; method: Method; spec: AnyRouteSpec };
type Json = Record<string, unknown>;

/** What each tag of a route gathers. */
export const TAGS: Record<string, string> = {
  Accounts: "Sign-in, your account and its sessions.",
  "Customer sign-up": "A customer proves an e-mail and gets a card.",
  "Customer card": "What a card holder reads and downloads, by the card's private id.",
  Customers: "The customers of a merchant, for its staff.",
  Counter: "Finding who stands at the counter; top-ups, redeems and reversals.",
  Transactions: "The log of every movement.",
  Merchants: "Merchant sign-up and approval.",
  Branches: "Branches of a merchant.",
  Outlets: "The super administrator's view of all merchants' branches.",
  Workers: "Workers of a merchant.",
  "Points configuration": "What a point is worth, and the limits.",
  Files: "Uploads by a presigned URL.",
  "Apple Wallet": "Apple's web service for passes, as Apple documents it.",
  Operations: "Health, readiness and background work.",
};

function jsonSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json;
  return rest;
}

/** The error codes an operation can answer: what its shape makes possible, and what it names itself. */
export function errorCodesOf({ spec }: ApiRoute): ErrorCode[] {
  const secured = spec.permission !== "public";
  const parsed = spec.body || spec.query || spec.params || spec.idempotent;
  const codes: ErrorCode[] = [
    ...(parsed ? (["validation"] as const) : []),
    ...(spec.body || spec.query ? (["malformed"] as const) : []),
    ...(spec.body ? (["too_large", "unsupported_type"] as const) : []),
    ...(spec.params ? (["not_found"] as const) : []),
    ...(secured ? (["unauthenticated", "session_ended", "forbidden"] as const) : []),
    ...(secured && spec.permission !== "account.own"
      ? (["merchant_pending", "merchant_rejected"] as const)
      : []),
    "rate_limited",
    "internal",
    ...(spec.idempotent ? (["key_reused", "unavailable"] as const) : []),
    ...(spec.errors ?? []),
  ];
  return [...new Set(codes)];
}

function errorResponses(route: ApiRoute): Json {
  const byStatus = Map.groupBy(errorCodesOf(route), (code) => STATUS[code]);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        String(status),
        {
          description: codes.map((code) => `\`${code}\``).join(", "),
          ...(status === 429
            ? { headers: { ...rateLimitHeaders, "Retry-After": { $ref: "#/components/headers/RetryAfter" } } }
            : {}),
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
                message: exampleText(codes[0] ?? "internal"),
                code: codes[0],
                ...(status >= 500 ? { requestId: "7f8de9ae-6b57-4f02-9f3f-0f7f2c9e4a51" } : {}),
              },
            },
          },
        },
      ]),
  );
}

function exampleText(code: ErrorCode): string {
  return errorText("en", { code, params: { seconds: 30, limit: 50, balance: 120, reason: "" } });
}

function parametersOf({ path, spec }: ApiRoute): Json[] {
  const named = (place: "path" | "query", schema: z.ZodType | undefined): Json[] => {
    if (!schema) return [];
    const { properties = {}, required = [] } = jsonSchema(schema, "input") as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: place,
      required: place === "path" || required.includes(name),
      schema: property,
    }));
  };
  const known = new Set(named("path", spec.params).map((parameter) => parameter.name));
  const bare = [...path.matchAll(/\{(\w+)\}/g)]
    .map((found) => found[1] ?? "")
    .filter((name) => !known.has(name))
    .map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  return [
    ...named("path", spec.params),
    ...bare,
    ...named("query", spec.query),
    ...(spec.idempotent ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
  ];
}

const rateLimitHeaders: Json = {
  "RateLimit-Limit": { $ref: "#/components/headers/RateLimitLimit" },
  "RateLimit-Remaining": { $ref: "#/components/headers/RateLimitRemaining" },
  "RateLimit-Reset": { $ref: "#/components/headers/RateLimitReset" },
};

function successOf({ spec }: ApiRoute): Json {
  if (spec.respond) {
    const { contentType, statuses = [200], schema } = spec.respond;
    const body = schema ? jsonSchema(schema, "output") : { type: "string" };
    return Object.fromEntries(
      statuses.map((status) => [
        String(status),
        {
          description: "Done.",
          headers: rateLimitHeaders,
          ...(status === 200 ? { content: { [contentType]: { schema: body } } } : {}),
        },
      ]),
    );
  }
  const data = spec.reply ? jsonSchema(spec.reply.schema, "output") : {};
  return {
    "200": {
      description: "Done.",
      headers: {
        ...rateLimitHeaders,
        ...(spec.idempotent
          ? { "Idempotency-Replayed": { $ref: "#/components/headers/IdempotencyReplayed" } }
          : {}),
      },
      content: {
        "application/json": {
          schema: {
            type: "object",
            required: ["status", "message", "data"],
            properties: { status: { const: 200 }, message: { type: "string" }, data },
          },
        },
      },
    },
  };
}

function operationId({ path, method }: ApiRoute): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return [method, ...words.map((word) => word[0]?.toUpperCase() + word.slice(1))].join("");
}

function securityOf({ spec }: ApiRoute): Json[] {
  if (spec.secret) return [{ [spec.secret]: [] }];
  return spec.permission === "public" ? [] : [{ session: [] }];
}

function operation(route: ApiRoute): Json {
  const { spec } = route;
  const parameters = parametersOf(route);
  return {
    operationId: operationId(route),
    summary: spec.summary,
    tags: [spec.tag],
    security: securityOf(route),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(spec.body
      ? {
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: jsonSchema(spec.body, "input"),
                ...(spec.example === undefined ? {} : { example: spec.example }),
              },
            },
          },
        }
      : {}),
    ...(spec.raw
      ? { requestBody: { required: true, content: { "application/octet-stream": { schema: {} } } } }
      : {}),
    responses: { ...successOf(route), ...errorResponses(route) },
  };
}

const components = {
  securitySchemes: {
    session: {
      type: "apiKey",
      in: "header",
      name: "Authorization",
      description: "The token that `POST /auth/login` answers, as it is, without a `Bearer` prefix.",
    },
    cron: { type: "http", scheme: "bearer", description: "CRON_SECRET of the installation." },
    applePass: {
      type: "apiKey",
      in: "header",
      name: "Authorization",
      description: "`ApplePass ` and the pass's own authentication token.",
    },
  },
  parameters: {
    IdempotencyKey: {
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description:
        "Unique for the caller. The same key with the same request answers the first result again and posts nothing; with another request it is refused with 422.",
      schema: { type: "string", minLength: 1, maxLength: 200, pattern: "^[!-~]+$" },
      example: "3f0a1c2e-top-up-1",
    },
  },
  headers: {
    RateLimitLimit: { description: "Requests allowed in the window.", schema: { type: "integer" } },
    RateLimitRemaining: { description: "Requests left in the window.", schema: { type: "integer" } },
    RateLimitReset: { description: "Seconds until the window begins anew.", schema: { type: "integer" } },
    RetryAfter: { description: "Seconds to wait.", schema: { type: "integer" } },
    IdempotencyReplayed: {
      description: "`true` when the first result was answered again.",
      schema: { const: "true" },
    },
  },
  schemas: {
    Error: {
      type: "object",
      required: ["status", "message", "code"],
      properties: {
        status: { type: "integer" },
        message: { type: "string", description: "A sentence for a person, in the caller's language." },
        code: { type: "string", description: "A stable word for a program." },
        errors: {
          type: "array",
          items: {
            type: "object",
            required: ["path", "message"],
            properties: { path: { type: "string" }, message: { type: "string" } },
          },
        },
        requestId: { type: "string" },
      },
    },
  },
};

/** The OpenAPI 3.1 document of these routes, made of the same schemas that validate. */
export function openApiDocument(routes: ApiRoute[]): Json {
  const used = new Set(routes.map(({ spec }) => spec.tag));
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Loyalty Wallet",
      version: "1.0.0",
      description:
        "Cash loyalty cards: customers, balances in points, top-ups and redeems. Amounts are whole points; QAR values are decimal strings; times are ISO 8601 in UTC.",
      license: { name: "MIT", identifier: "MIT" },
    },
    // Relative: right wherever the document is read from.
    servers: [{ url: "/api" }],
    tags: [...used].sort().map((name) => ({ name, description: TAGS[name] ?? name })),
    paths,
    components,
  };
}
