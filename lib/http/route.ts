import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { getDb } from "@/lib/db/client";
import {
  type OpenOperation,
  type PublicContext,
  type PublicOperation,
  runProved,
  type Secrets,
  systemClock,
} from "@/lib/db/context";
import { authorize, type UserActor } from "@/lib/domain/actor";
import { DomainError, type ErrorCode } from "@/lib/domain/errors";
import { isStaffPermission } from "@/lib/domain/policy";
import { LOCALE_COOKIE, type Locale, pickLocale } from "@/lib/domain/roles";
import { deliverSoon } from "@/lib/jobs/deliver-soon";
import { apiActor, formerActor } from "./actor";
import { callerAddress } from "./address";
import { readBytes, readJson } from "./body";
import { holderOf, readCookie } from "./cookies";
import { countRequest, type LimitName } from "./limits";
import { translateKey, validationError } from "./problems";
import { replyError, replyOk } from "./reply";
import { inDomainNames, inWireNames, type Names, shapeOf } from "./wire/names";

/** What of a request no name stands for. */
type Parts = { headers: Headers; params: Record<string, string>; bytes: Buffer };

export type RouteSpec<Input, Sent, Output, Reply> = {
  /** The operation: a staff permission is asked before anything is read, and its schema parses what was sent. */
  run: OpenOperation<Input, Output, Sent>;
  /** What the call does, in a sentence for openapi.json. */
  summary: string;
  tag: string;
  /** The names of the fields in the path, the query and the JSON body. */
  params?: Names<NoInfer<keyof Sent & string>>;
  query?: Names<NoInfer<keyof Sent & string>>;
  body?: Names<NoInfer<keyof Sent & string>>;
  /** Instead of a JSON body: a file of at most so many bytes. */
  raw?: { limit: number };
  /** Fields of the input that are not named: out of the headers, or the same in every call. */
  more?: (parts: Parts) => Partial<NoInfer<Sent>>;
  /** The answer's `data`: its schema, and how it is made of the operation's result. */
  reply?: { schema: z.ZodType<Reply>; from: (output: Output, locale: Locale) => Reply };
  /** Beside the reply, where the caller asked for it: the same as a file, or null for the reply. */
  download?: { contentType: string; from: (output: Output, ctx: PublicContext) => Response | null };
  /** Another answer than the envelope (a file, a stream). */
  respond?: {
    contentType: string;
    /** The statuses a success has, when not just 200. */
    statuses?: number[];
    /** What a JSON answer without the envelope looks like. */
    schema?: z.ZodType;
    from: (output: Output, ctx: PublicContext) => Response | Promise<Response>;
  };
  /** Catalogue key of the success message. */
  message?: string;
  /** Headers (cookies too) that a result brings. */
  headers?: (output: Output) => [string, string][];
  limit?: LimitName;
  /** Which other secret than a session's the operation asks for itself, for openapi.json. */
  secret?: "cron" | "applePass";
  /** An example of the body, for openapi.json. */
  example?: unknown;
};

// What openapi.json reads; the type parameters of one route do not matter there.
export type AnyRouteSpec = Pick<
  RouteSpec<unknown, never, unknown, unknown>,
  "summary" | "tag" | "raw" | "message" | "limit" | "secret" | "example"
> & {
  /** The permission that a session's user needs, or "public" where no session is asked for. */
  permission: string;
  input: z.ZodType;
  errors: readonly ErrorCode[];
  params?: Names;
  query?: Names;
  body?: Names;
  /** Whether the call takes an Idempotency-Key: where its operation does. */
  idempotent: boolean;
  reply?: { schema: z.ZodType };
  download?: { contentType: string };
  respond?: { contentType: string; statuses?: number[]; schema?: z.ZodType };
};
type Params = Promise<Record<string, string | string[] | undefined> | undefined>;
export type RouteHandler = ((request: Request, context: { params: Params }) => Promise<Response>) & {
  spec: AnyRouteSpec;
};

/** The header of a request that must not be done twice, and the field that it fills. */
const KEY: Names = { "Idempotency-Key": "idempotencyKey" };

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

/** The path's own parts, one of several segments as a whole. Throws not_found (404) for a NUL character: no thing has such a name. */
async function readParams(params: Params): Promise<Record<string, string>> {
  // In a production build a path without parts has none at all.
  const found = Object.entries((await params) ?? {}).map(([name, value = ""]) => [
    name,
    [value].flat().join("/"),
  ]);
  const parts = Object.fromEntries(found) as Record<string, string>;
  if (holdsNul(parts)) throw new DomainError("not_found");
  return parts;
}

/** What a request sends, under the names of the operation's input. Throws malformed, too_large, unsupported_type. */
async function readInput(
  spec: AnyRouteSpec & Pick<RouteSpec<unknown, object, unknown, unknown>, "more">,
  request: Request,
  params: Params,
) {
  const { headers } = request;
  const path = await readParams(params);
  const query = spec.query ? readQuery(request) : {};
  const body = spec.body ? await readJson(request) : {};
  const bytes = spec.raw ? await readBytes(request, spec.raw.limit) : Buffer.alloc(0);
  const key = headers.get("idempotency-key");
  return {
    ...spec.more?.({ headers, params: path, bytes }),
    ...inDomainNames(spec.params, path),
    ...inDomainNames(spec.query, query),
    ...inDomainNames(spec.body, body),
    ...(spec.idempotent && key !== null ? { idempotencyKey: key } : {}),
  };
}

const secretsOf = (headers: Headers): Secrets => ({
  holder: (customerId) => holderOf(headers, customerId),
  authorization: headers.get("authorization"),
});

/** Whether a session, which anyone has who signs a merchant up, makes no difference to this limit. */
function asStranger(wanted: LimitName | undefined, { merchantStatus }: UserActor): boolean {
  if (wanted === "upload") return merchantStatus === "pending" || merchantStatus === "rejected";
  return wanted === "exists" || wanted === "heavy";
}

/** The limit a request counts for, and by what: a stranger's address, else the session. Uploads have none of their own then. */
function limitFor(
  wanted: LimitName | undefined,
  actor: UserActor | null,
  address: string,
): [LimitName, string] {
  if (!actor || asStranger(wanted, actor)) return [wanted ?? "public", address];
  return [wanted && wanted !== "upload" ? wanted : "session", actor.sessionId];
}

/**
 * A route handler of the API: actor (401, 417) → permission (403) → parse (400) → operation → `{status, message, data}`.
 * An actor that is none of a session (a card holder) is found by the parsed input, and its permission asked then.
 * It carries its description, so that openapi.json cannot drift from the code.
 */
export function route<Input, Sent, Output, Reply>(spec: RouteSpec<Input, Sent, Output, Reply>): RouteHandler {
  const { run } = spec;
  const { input: schema, errors = [] } = run;
  const staff = isStaffPermission(run.permission) ? run.permission : null;
  const permission = staff ?? "public";
  const idempotent = "idempotencyKey" in shapeOf(schema);
  const described = { ...spec, permission, input: schema, errors, idempotent } as unknown as AnyRouteSpec;
  const names: Names = { ...spec.params, ...spec.query, ...spec.body, ...KEY };
  const handler = async (request: Request, context: { params: Params }): Promise<Response> => {
    const requestId = randomUUID();
    let locale = pickLocale(
      readCookie(request.headers, LOCALE_COOKIE),
      request.headers.get("accept-language"),
    );
    let limits: Record<string, string> = {};
    const input = async (): Promise<Input> => {
      const parsed = schema.safeParse(await readInput(described, request, context.params));
      if (!parsed.success) throw inWireNames(validationError(parsed.error), names);
      return parsed.data;
    };
    const stored = "stored" in run && request.headers.has("idempotency-key") ? run.stored : undefined;
    /** Who was refused: a repeat of what they posted is answered its first result all the same. */
    const orStored = async (refused: unknown, ctx: PublicContext): Promise<Output> => {
      const { actor } = ctx;
      if (!stored || !actor || !(refused instanceof DomainError)) throw refused;
      const first = await input()
        .then((sent) => stored({ ...ctx, actor }, sent))
        .catch((error: unknown) => {
          if (error instanceof DomainError && error.code !== "unavailable") return null;
          throw error;
        });
      if (first === null) throw refused;
      return first;
    };
    const perform = async (ctx: PublicContext): Promise<Output> => {
      try {
        if (staff && ctx.actor) authorize(ctx.actor, staff);
      } catch (refused) {
        return await orStored(refused, ctx);
      }
      const sent = await input();
      // A staff permission was asked above: its operation has its actor here.
      const ran =
        "actorFrom" in run
          ? runProved(run, ctx, sent, secretsOf(request.headers))
          : (run as PublicOperation<Input, Output>)(ctx, sent);
      return await ran.catch((error: unknown) => {
        throw inWireNames(error, names);
      });
    };
    try {
      const db = getDb();
      const address = callerAddress(request.headers);
      let ended: unknown;
      const actor = await apiActor(db, request.headers, systemClock()).catch(async (error: unknown) => {
        // Where no session is asked for, a client may still send the token of an old one.
        if (!staff && error instanceof DomainError) return null;
        ended = error;
        const former = stored ? await formerActor(db, request.headers, systemClock()) : null;
        if (!former) throw error;
        return former;
      });
      locale = actor?.locale ?? locale;
      if (staff && !actor) throw new DomainError("unauthenticated");
      limits = await countRequest(...limitFor(spec.limit, actor, address));
      const ctx: PublicContext = { actor, db, clock: systemClock, locale, address, requestId };
      const output = ended ? await orStored(ended, ctx) : await perform(ctx);
      if (request.method !== "GET") deliverSoon();
      const usual = { ...limits, "X-Request-Id": requestId };
      const file = spec.download?.from(output, ctx);
      if (file) return withHeaders(file, usual);
      if (spec.respond) return withHeaders(await spec.respond.from(output, ctx), usual);
      const headers = new Headers(usual);
      for (const [name, value] of spec.headers?.(output) ?? []) headers.append(name, value);
      const data = spec.reply ? spec.reply.from(output, locale) : output;
      return replyOk(translateKey(locale, spec.message ?? "api.ok"), data, headers);
    } catch (error) {
      return replyError(error, locale, requestId, limits);
    }
  };
  return Object.assign(handler, { spec: described });
}
