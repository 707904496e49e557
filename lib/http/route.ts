import type { z } from "zod";
import { sessionMemory } from "@/lib/accounts/session";
import { getDb } from "@/lib/db/client";
import {
  type OpenOperation,
  type PublicContext,
  type PublicOperation,
  runProved,
  type Secrets,
  systemClock,
} from "@/lib/db/context";
import { assertMayWrite, authorize, mustStepUp, type UserActor } from "@/lib/domain/actor";
import { DomainError, type ErrorCode } from "@/lib/domain/errors";
import { isStaffPermission } from "@/lib/domain/policy";
import { LOCALE_COOKIE, type Locale, pickLocale } from "@/lib/domain/roles";
import { deliverInBackground } from "@/lib/jobs/deliver-in-background";
import { REQUEST_ID_HEADER, withRequest } from "@/lib/observe/request";
import { apiActor, formerActor } from "./actor";
import { callerAddress } from "./address";
import { readCookie, readDeviceCookie, readHolderSecret } from "./cookies";
import { countRequest, type LimitName } from "./limits";
import { patternOf } from "./pattern";
import { translateKey, validationError } from "./problems";
import { type Params, type Parts, readInput } from "./read-input";
import { replyError, replyOk } from "./reply";
import { limitOf } from "./route-limit";
import { requireStepUp } from "./step-up";
import { proveTillOf, type TillOfRequest } from "./till-proof";
import { type Names, shapeOf, toWireNames } from "./wire/names";

export type RouteSpec<Input, Sent, Output, Reply> = {
  /** The operation. A staff permission is checked before the request is read; its schema parses the input. */
  run: OpenOperation<Input, Output, Sent>;
  /** One sentence about the call for openapi.json. */
  summary: string;
  tag: string;
  /** The names of the fields in the path, the query and the JSON body. */
  params?: Names<NoInfer<keyof Sent & string>>;
  query?: Names<NoInfer<keyof Sent & string>>;
  body?: Names<NoInfer<keyof Sent & string>>;
  /** The body is a file of at most `limit` bytes instead of JSON. */
  raw?: { limit: number };
  /** Further fields of the input, taken from the headers or constant. */
  more?: (parts: Parts) => Partial<NoInfer<Sent>>;
  /** The answer's `data`: its schema, and the mapping from the operation's result. */
  reply?: { schema: z.ZodType<Reply>; from: (output: Output, locale: Locale) => Reply };
  /** The result as a file if the caller requested one, or null for the usual reply. */
  download?: { contentType: string; from: (output: Output, ctx: PublicContext) => Response | null };
  /** An answer without the envelope (a file, a stream). */
  respond?: {
    contentType: string;
    /** The statuses of a success, if not only 200. */
    statuses?: number[];
    /** The schema of a JSON answer without the envelope. */
    schema?: z.ZodType;
    from: (output: Output, ctx: PublicContext) => Response | Promise<Response>;
  };
  /** The catalogue key of the success message. */
  message?: string;
  /** Headers of a success, including cookies. */
  headers?: (output: Output, ctx: PublicContext) => [string, string][];
  limit?: LimitName;
  /** The secret that the operation requires instead of a session, for openapi.json. */
  secret?: "cron" | "applePass" | "till";
  /** An example body for openapi.json. */
  example?: unknown;
};

/** The parts of a route that openapi.json describes, without its type parameters. */
export type AnyRouteSpec = Pick<
  RouteSpec<unknown, never, unknown, unknown>,
  "summary" | "tag" | "raw" | "message" | "limit" | "secret" | "example"
> & {
  /** The permission that the session's user needs, or "public" without a session. */
  permission: string;
  input: z.ZodType;
  errors: readonly ErrorCode[];
  params?: Names;
  query?: Names;
  body?: Names;
  /** Whether the call accepts an Idempotency-Key, as its operation does. */
  idempotent: boolean;
  /** Whether the operation asks the user to confirm who they are. */
  stepUp: boolean;
  /** Whether the request must carry a till's proof. */
  needsTill: "in_use" | "kept" | null;
  reply?: { schema: z.ZodType };
  download?: { contentType: string };
  respond?: { contentType: string; statuses?: number[]; schema?: z.ZodType };
};
export type RouteHandler = ((request: Request, context: { params: Params }) => Promise<Response>) & {
  spec: AnyRouteSpec;
};

/** The header that makes a repeated request safe, and the input field that it fills. */
const KEY: Names = { "Idempotency-Key": "idempotencyKey" };

function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

const secretsOf = (headers: Headers): Secrets => ({
  holder: (customerId) => readHolderSecret(headers, customerId),
  authorization: headers.get("authorization"),
});

/**
 * A route handler of the API: actor (401, 417) → permission (403) → parse (400) → operation → `{status, message, data}`.
 * The actor of an operation without a session (a card holder) depends on the parsed input, so its permission is checked
 * after parsing. The handler's `spec` generates openapi.json.
 */
export function route<Input, Sent, Output, Reply>(spec: RouteSpec<Input, Sent, Output, Reply>): RouteHandler {
  const { run } = spec;
  const { input: schema, errors = [] } = run;
  const staff = isStaffPermission(run.permission) ? run.permission : null;
  const permission = staff ?? "public";
  const idempotent = "idempotencyKey" in shapeOf(schema);
  const stepUp = "stepUp" in run && run.stepUp !== undefined;
  const { needsTill = null } = run;
  const described = {
    ...spec,
    permission,
    input: schema,
    errors,
    idempotent,
    stepUp,
    needsTill,
  } as unknown as AnyRouteSpec;
  const names: Names = { ...spec.params, ...spec.query, ...spec.body, ...KEY };
  const answer = async (
    request: Request,
    context: { params: Params },
    requestId: string,
  ): Promise<Response> => {
    let locale = pickLocale(
      readCookie(request.headers, LOCALE_COOKIE),
      request.headers.get("accept-language"),
    );
    let limits: Record<string, string> = {};
    let proved: TillOfRequest = { till: null };
    const input = async (): Promise<Input> => {
      const parsed = schema.safeParse(await readInput(described, request, context.params, proved.checkBody));
      if (!parsed.success) throw toWireNames(validationError(parsed.error, schema), names);
      return parsed.data;
    };
    const writes = request.method !== "GET" && !("readOnly" in run && run.readOnly);
    const stored = "stored" in run && request.headers.has("idempotency-key") ? run.stored : undefined;
    /** For a refused caller: a repeat of an earlier posting still gets its first result. */
    const orStored = async (refused: unknown, ctx: PublicContext, known?: Input): Promise<Output> => {
      const { actor } = ctx;
      if (!stored || !actor || !(refused instanceof DomainError)) throw refused;
      const first = await (known === undefined ? input() : Promise.resolve(known))
        .then((sent) => stored({ ...ctx, actor }, sent))
        .catch((error: unknown) => {
          if (error instanceof DomainError && error.code !== "unavailable") return null;
          throw error;
        });
      if (first === null) throw refused;
      return first;
    };
    const isRefused = (actor: UserActor): boolean => {
      try {
        if (staff) authorize(actor, staff);
        return stepUp && mustStepUp(actor, systemClock());
      } catch {
        return true;
      }
    };
    const perform = async (ctx: PublicContext): Promise<Output> => {
      try {
        if (staff && ctx.actor) {
          authorize(ctx.actor, staff);
          if (writes) assertMayWrite(ctx.actor, staff);
        }
      } catch (refused) {
        return await orStored(refused, ctx);
      }
      const sent = await input();
      try {
        await requireStepUp(ctx, run, sent);
      } catch (refused) {
        return await orStored(refused, ctx, sent);
      }
      // A staff permission was asked above: its operation has its actor here.
      const ran =
        "actorFrom" in run
          ? runProved(run, ctx, sent, secretsOf(request.headers))
          : (run as PublicOperation<Input, Output>)(ctx, sent);
      return await ran.catch((error: unknown) => {
        throw toWireNames(error, names);
      });
    };
    try {
      const db = getDb();
      const address = callerAddress(request.headers);
      let ended: unknown;
      const find = (memory?: ReturnType<typeof sessionMemory>) =>
        apiActor(db, request.headers, systemClock(), memory).catch(async (error: unknown) => {
          // Where no session is asked for, a client may still send the token of an old one.
          if (!staff && error instanceof DomainError) return null;
          ended = error;
          const former = stored ? await formerActor(db, request.headers, systemClock()) : null;
          if (!former) throw error;
          return former;
        });
      let actor = await find(writes ? undefined : sessionMemory());
      // A remembered session may grant access but never causes a refusal, because the user may have gained rights a
      // moment ago.
      if (!writes && actor && isRefused(actor)) actor = await find();
      locale = actor?.locale ?? locale;
      if (staff && !actor) throw new DomainError("unauthenticated");
      const device = readDeviceCookie(request.headers);
      limits = await countRequest(...limitOf(spec.limit, actor, device?.id ?? address));
      // Before the body is read, so that a caller with a refused proof learns nothing else.
      proved = await proveTillOf(db, request, actor, needsTill, systemClock());
      const userAgent = request.headers.get("user-agent");
      const caller = { address, userAgent, requestId, device };
      const ctx: PublicContext = { actor, db, clock: systemClock, locale, till: proved.till, ...caller };
      const output = ended ? await orStored(ended, ctx) : await perform(ctx);
      if (request.method !== "GET") deliverInBackground();
      // Users see changes of their own account immediately in this process; the database notifies the others.
      if (writes && actor && spec.limit !== "money") sessionMemory().forget(`user:${actor.userId}`);
      const usual = { ...limits, "X-Request-Id": requestId };
      const file = spec.download?.from(output, ctx);
      if (file) return withHeaders(file, usual);
      if (spec.respond) return withHeaders(await spec.respond.from(output, ctx), usual);
      const headers = new Headers(usual);
      for (const [name, value] of spec.headers?.(output, ctx) ?? []) headers.append(name, value);
      const data = spec.reply ? spec.reply.from(output, locale) : output;
      return replyOk(translateKey(locale, spec.message ?? "api.ok"), data, headers);
    } catch (error) {
      return replyError(error, locale, requestId, limits);
    }
  };
  const handler = (request: Request, context: { params: Params }): Promise<Response> =>
    withRequest(request.headers.get(REQUEST_ID_HEADER), async (record) => {
      record.route ??= patternOf(new URL(request.url).pathname, await context.params);
      return answer(request, context, record.id);
    });
  return Object.assign(handler, { spec: described });
}
