import { z } from "zod";
import type { ZodOpenApiResponsesObject } from "zod-openapi";
import { factorRequestReply } from "@/lib/accounts/names";
import { isOwnAccount } from "@/lib/domain/actor";
import { type ErrorCode, STATUS } from "@/lib/domain/error-status";
import type { Locale } from "@/lib/domain/roles";
import { holdCodec } from "@/lib/holds/names";
import { errorText } from "@/lib/i18n/translate";
import { PROBLEM_TYPE } from "./reply";
import type { RouteSpec } from "./route";

type Route = { method: string; spec: RouteSpec };

const when = (isSo: unknown, ...codes: ErrorCode[]): ErrorCode[] => (isSo ? codes : []);

/** The error codes of a call: those that its kind of input implies, and those of its operation. */
function errorCodesOf({ method, spec }: Route): ErrorCode[] {
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

/** A response header, defined once among the components. */
export function header(id: string, description: string, schema: z.ZodType = integer) {
  return schema.optional().meta({ header: { id, description } });
}

export const rateLimits = z.object({
  "RateLimit-Policy": header("RateLimitPolicy", "The limit that counts (IETF draft 11).", z.string()),
  RateLimit: header("RateLimit", "What is left of it (IETF draft 11).", z.string()),
  "RateLimit-Limit": header("RateLimitLimit", "Requests allowed in the window."),
  "RateLimit-Remaining": header("RateLimitRemaining", "Requests left in the window."),
  "RateLimit-Reset": header("RateLimitReset", "Seconds until the window begins anew."),
});
export const linked = { Link: header("Link", 'The next page of the list: `<…>; rel="next"`.', z.string()) };
const retryAfter = rateLimits.extend({ "Retry-After": header("RetryAfter", "Seconds to wait.") });
export const errorSchema = z
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
export const problemSchema = errorSchema
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

/** The refusals of a call by their status, with the codes and an example of each. */
export function errorResponses(route: Route): ZodOpenApiResponsesObject {
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
