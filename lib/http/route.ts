import { randomUUID } from "node:crypto";
import { z } from "zod";
import { getDb } from "@/lib/db/client";
import { type Operation, type PublicContext, type PublicOperation, systemClock } from "@/lib/db/context";
import { type Actor, authorize } from "@/lib/domain/actor";
import { DomainError, type ErrorCode } from "@/lib/domain/errors";
import { LOCALE_COOKIE, pickLocale } from "@/lib/domain/roles";
import { deliverSoon } from "@/lib/jobs/deliver-soon";
import { apiActor } from "./actor";
import { callerAddress } from "./address";
import { readBytes, readJson } from "./body";
import { readCookie } from "./cookies";
import { countRequest, type LimitName } from "./limits";
import { translateKey, validationError } from "./problems";
import { replyError, replyOk } from "./reply";
import { inWireNames } from "./wire/names";

type Schema<T> = z.ZodType<T>;
type Parts<P, Q, B> = {
  params: P;
  query: Q;
  body: B;
  /** The body as it came, where `raw` asks for it. */
  bytes: Buffer;
  headers: Headers;
  idempotencyKey: string | undefined;
};

export type RouteSpec<P, Q, B, I, O, R> = {
  /** The operation; its permission is asked before anything is parsed. */
  run: Operation<I, O> | PublicOperation<I, O>;
  /** What the call does, in a sentence for openapi.json. */
  summary: string;
  tag: string;
  params?: Schema<P>;
  query?: Schema<Q>;
  body?: Schema<B>;
  /** Instead of a JSON body: a file of at most so many bytes. */
  raw?: { limit: number };
  /** The operation's input out of the parsed parts; default: params, query and body in one. */
  input?: (parts: Parts<P, Q, B>) => I;
  /** The answer's `data`: its schema, and how it is made of the operation's result. */
  reply?: { schema: Schema<R>; from: (output: O) => R };
  /** Another answer than the envelope (a file, a stream). */
  respond?: {
    contentType: string;
    /** The statuses a success has, when not just 200. */
    statuses?: number[];
    /** What a JSON answer without the envelope looks like. */
    schema?: z.ZodType;
    from: (output: O, ctx: PublicContext) => Response | Promise<Response>;
  };
  /** Catalogue key of the success message. */
  message?: string;
  /** Whether the call takes an Idempotency-Key. */
  idempotent?: boolean;
  /** Headers (cookies too) that a result brings. */
  headers?: (output: O) => [string, string][];
  limit?: LimitName;
  /** Which other secret than a session's the operation asks for itself, for openapi.json. */
  secret?: "cron" | "applePass";
  /** What can be refused here beside the usual, for openapi.json. */
  errors?: ErrorCode[];
  /** An example of the body, for openapi.json. */
  example?: unknown;
};

// What openapi.json reads; the type parameters of one route do not matter there.
export type AnyRouteSpec = Omit<
  RouteSpec<unknown, unknown, unknown, unknown, unknown, unknown>,
  "run" | "input" | "reply" | "respond" | "headers"
> & {
  permission: string;
  reply?: { schema: z.ZodType };
  respond?: { contentType: string; statuses?: number[]; schema?: z.ZodType };
};
type Params = Promise<Record<string, string | string[] | undefined> | undefined>;
export type RouteHandler = ((request: Request, context: { params: Params }) => Promise<Response>) & {
  spec: AnyRouteSpec;
};

const keySchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\x21-\x7e]+$/);

function readKey(headers: Headers): string | undefined {
  const value = headers.get("idempotency-key");
  if (value === null) return undefined;
  const parsed = keySchema.safeParse(value);
  if (!parsed.success) {
    throw new DomainError("validation", {}, [
      { path: "Idempotency-Key", message: "validation.idempotencyKey" },
    ]);
  }
  return parsed.data;
}

function parse<T>(schema: Schema<T> | undefined, value: unknown): T {
  if (!schema) return {} as T;
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw validationError(parsed.error);
  return parsed.data;
}

function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

// Postgres keeps no NUL character; nobody types one into an address.
const holdsNul = (values: Record<string, unknown>) =>
  Object.values(values)
    .flat()
    .some((value) => typeof value === "string" && value.includes("\0"));

/** The query by name. Throws malformed (400) for a NUL character. */
function readQuery(request: Request): Record<string, string> {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  if (holdsNul(query)) throw new DomainError("malformed");
  return query;
}

/** The path's own parts. Throws not_found (404) for a NUL character: no thing has such a name. */
async function readParams(params: Params): Promise<NonNullable<Awaited<Params>>> {
  // In a production build a path without parts has none at all.
  const found = (await params) ?? {};
  if (holdsNul(found)) throw new DomainError("not_found");
  return found;
}

/** Whether a session, which anyone has who signs a merchant up, makes no difference to this limit. */
function asStranger(wanted: LimitName | undefined, { merchantStatus }: Actor): boolean {
  if (wanted === "upload") return merchantStatus === "pending" || merchantStatus === "rejected";
  return wanted === "exists" || wanted === "heavy";
}

/** The limit a request counts for, and by what: a stranger's address, else the session. Uploads have none of their own then. */
function limitFor(wanted: LimitName | undefined, actor: Actor | null, address: string): [LimitName, string] {
  if (!actor || asStranger(wanted, actor)) return [wanted ?? "public", address];
  return [wanted && wanted !== "upload" ? wanted : "session", actor.sessionId];
}

/**
 * A route handler of the API: actor (401, 417) → permission (403) → parse (400) → operation → `{status, message, data}`.
 * It carries its description, so that openapi.json cannot drift from the code.
 */
export function route<P, Q, B, I, O, R>(spec: RouteSpec<P, Q, B, I, O, R>): RouteHandler {
  const { run } = spec;
  const handler = async (request: Request, context: { params: Params }): Promise<Response> => {
    const requestId = randomUUID();
    let locale = pickLocale(
      readCookie(request.headers, LOCALE_COOKIE),
      request.headers.get("accept-language"),
    );
    let limits: Record<string, string> = {};
    try {
      const db = getDb();
      const address = callerAddress(request.headers);
      const isPublic = run.permission === "public";
      const actor = await apiActor(db, request.headers, systemClock()).catch((error: unknown) => {
        // A public call is open to a client that still sends the token of an old session.
        if (isPublic && error instanceof DomainError) return null;
        throw error;
      });
      locale = actor?.locale ?? locale;
      if (!isPublic && !actor) throw new DomainError("unauthenticated");
      limits = await countRequest(...limitFor(spec.limit, actor, address));
      const ctx: PublicContext = { actor, db, clock: systemClock, locale, address, requestId };
      if (run.permission !== "public" && actor) authorize(actor, run.permission);
      const parts: Parts<P, Q, B> = {
        params: parse(spec.params, await readParams(context.params)),
        query: parse(spec.query, spec.query ? readQuery(request) : {}),
        body: spec.body ? parse(spec.body, await readJson(request)) : ({} as B),
        bytes: spec.raw ? await readBytes(request, spec.raw.limit) : Buffer.alloc(0),
        headers: request.headers,
        idempotencyKey: spec.idempotent ? readKey(request.headers) : undefined,
      };
      const input = spec.input
        ? spec.input(parts)
        : ({
            ...parts.params,
            ...parts.query,
            ...parts.body,
            ...(spec.idempotent ? { idempotencyKey: parts.idempotencyKey } : {}),
          } as unknown as I);
      // The permission was asked above: a non-public operation has its actor here.
      const output = await (run as PublicOperation<I, O>)(ctx, input).catch((error: unknown) => {
        throw inWireNames(error);
      });
      if (request.method !== "GET") deliverSoon();
      const usual = { ...limits, "X-Request-Id": requestId };
      if (spec.respond) return withHeaders(await spec.respond.from(output, ctx), usual);
      const headers = new Headers(usual);
      for (const [name, value] of spec.headers?.(output) ?? []) headers.append(name, value);
      const data = spec.reply ? spec.reply.from(output) : output;
      return replyOk(translateKey(locale, spec.message ?? "api.ok"), data, headers);
    } catch (error) {
      return replyError(error, locale, requestId, limits);
    }
  };
  return Object.assign(handler, { spec: { ...spec, permission: run.permission } as unknown as AnyRouteSpec });
}
