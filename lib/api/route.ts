import { z } from "zod";
import { sessionMemory } from "@/lib/accounts/session";
import type { ApiRow } from "@/lib/calls/bind";
import { KEY_NAMES, type Named, type Names, toDomainNames, toWireNames } from "@/lib/calls/names";
import { type Db, getDb } from "@/lib/db/client";
import { type ProvedTill, type PublicContext, systemClock } from "@/lib/db/context";
import type { StaffActor, UserActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { isStaffPermission } from "@/lib/domain/policy";
import { env } from "@/lib/env";
import { deliverInBackground } from "@/lib/jobs/deliver-in-background";
import { unquoted } from "@/lib/ledger/model/movements";
import { REQUEST_ID_HEADER, withRequest } from "@/lib/observe/request";
import type { Operation, Secrets } from "@/lib/operations/operation";
import { cookieLine, readDeviceCookie, readHolderSecret } from "@/lib/secrets/cookies";
import { isTillAccepted } from "@/lib/tills/model/till";
import { proveTill, sha256 } from "@/lib/tills/till-proof";
import { apiActor, carriesKey, formerActor, isAllowed, tokenOf } from "./actor";
import { callerAddress } from "./address";
import { type CheckBytes, readBytes, readJson } from "./body";
import { countKeyRequest, countRequest, countVisitor, limitsOf, type Visitor } from "./limits";
import { deviceMark } from "./mark-device";
import { type Handler, type Params, routeOf } from "./match";
import { localeOf, replyError, replyOk, translateKey, wantsProblem, writerOf } from "./reply";

type Shape = Record<string, z.ZodType>;

/** The fields of an operation's schema, before a transformation of the whole object. */
function shapeOf(schema: z.ZodType | undefined): Shape {
  if (schema instanceof z.ZodPipe) return shapeOf(schema.in as z.ZodType);
  return schema instanceof z.ZodObject ? (schema.shape as Shape) : {};
}

const isOptional = (schema: z.ZodType | undefined) => schema?.safeParse(undefined).success ?? false;

/** The schema of a part of a request under the API's names, derived from the operation's schema for openapi.json. */
export function wireSchema(input: z.ZodType, names: Names): z.ZodObject {
  const shape = shapeOf(input);
  const of = (named: Named<string>): z.ZodType => {
    if (typeof named === "string") return shape[named] ?? z.unknown();
    if ("always" in named) return z.literal(named.always);
    const field = shape[named.field];
    const renamed =
      "values" in named ? z.enum(Object.keys(named.values)) : wireSchema(field ?? z.unknown(), named.names);
    return isOptional(field) ? renamed.optional() : renamed;
  };
  return z.object(Object.fromEntries(Object.entries(names).map(([name, named]) => [name, of(named)])));
}

type AnyOperation = Operation<unknown, unknown>;
export type RouteSpec = ReturnType<typeof specOf>;
export type RouteHandler = Handler & { spec: RouteSpec };

/** A row with what its operation says of it, for openapi.json and for reading the row's input. */
function specOf({ call, details }: ApiRow, run: AnyOperation) {
  return {
    ...call,
    ...details,
    /** Empty for a call outside the document. */
    tag: details.tag ?? "",
    permission: isStaffPermission(run.permission) ? run.permission : ("public" as const),
    input: run.input,
    errors: run.errors,
    idempotent: "idempotencyKey" in shapeOf(run.input),
    keyScope: run.keyScope,
    stepUp: run.stepUp,
    readOnly: run.readOnly,
    needsTill: run.needsTill,
  };
}

/**
 * The handler of a row: session or key (401, 417) → limit (429) → till proof (401), then the operation's own steps, and the
 * answer `{status, message, data}`. The handler's `spec` generates openapi.json.
 */
function makeHandler(row: ApiRow, run: AnyOperation): RouteHandler {
  const spec = specOf(row, run);
  const staff = isStaffPermission(run.permission) ? run.permission : null;
  const names: Names = { ...spec.params, ...spec.query, ...spec.body, ...KEY_NAMES };
  const answer = async (request: Request, params: Params, requestId: string): Promise<Response> => {
    let locale = localeOf(request.headers);
    let limits: Record<string, string> = {};
    let proved: TillOfRequest = { till: null };
    const writes = !run.readOnly;
    const keyed = run.repeatable && request.headers.has("idempotency-key");
    const address = callerAddress(request.headers);
    try {
      assertNoKeyInQuery(request);
      const db = getDb();
      let ended: unknown = null;
      const find = (memory?: ReturnType<typeof sessionMemory>) =>
        apiActor(db, request.headers, systemClock(), { memory, writes }).catch(async (error: unknown) => {
          // A key that is refused is never taken for a stranger.
          if (carriesKey(request.headers)) throw error;
          // If a call needs no session, a client may still send the token of an old session.
          if (!staff && error instanceof DomainError) return null;
          ended = error;
          const former = keyed ? await formerActor(db, request.headers, systemClock()) : null;
          if (!former) throw error;
          return former;
        });
      let actor = spec.anonymous ? null : await find(writes ? undefined : sessionMemory());
      // A remembered session never causes a refusal, because the user may have gained rights a moment ago.
      if (!writes && actor?.type === "user" && !isAllowed(actor, run)) actor = await find();
      const user = actor?.type === "user" ? actor : null;
      // A browser shows answers beside its pages, in the language that is chosen there: on a till, that of the till.
      if (user?.locale && !user.panel) locale = user.locale;
      if (staff && !actor) throw new DomainError("unauthenticated");
      const device = readDeviceCookie(request.headers);
      limits = await countCall(spec.limit, actor, { device, address });
      // Before the body is read, so that a caller with a refused proof learns nothing else.
      if (!spec.anonymous && actor?.type !== "apiKey")
        proved = await proveTillOf(db, request, user, run.needsTill, systemClock());
      const userAgent = request.headers.get("user-agent");
      const caller = { address, userAgent, requestId, device, locale, till: proved.till };
      // Files, cookies and marks are for people.
      const ctx: PublicContext = { ...caller, actor: user, db, clock: systemClock };
      const input = () => readInput(spec, request, params, proved.checkBody);
      const secrets: Secrets = {
        holder: (customerId) => readHolderSecret(request.headers, customerId),
        authorization: request.headers.get("authorization"),
      };
      const arrival = { secrets, ended, keyed };
      const output = await run.perform({ ...ctx, actor }, input, arrival).catch((error: unknown) => {
        throw toWireNames(error, names);
      });
      if (request.method !== "GET") deliverInBackground();
      // Users see changes of their own account immediately in this process; the database notifies the others.
      if (writes && user && spec.limit !== "money") sessionMemory().forget(`user:${user.userId}`);
      const usual = { ...limits, "X-Request-Id": requestId };
      const file = spec.download?.from(output, ctx) ?? (await spec.respond?.from(output, ctx));
      for (const [name, value] of Object.entries(usual)) file?.headers.set(name, value);
      if (file) return file;
      const headers = new Headers(usual);
      for (const [name, value] of spec.headers?.(output, ctx) ?? []) headers.append(name, value);
      const mark = spec.marks && (await deviceMark(ctx, spec.marks(output)));
      if (mark) headers.append("Set-Cookie", cookieLine(mark));
      const data = spec.reply?.from ? spec.reply.from(output, writerOf(locale)) : output;
      const page = ["cursor", "after"].find((name) => name in (spec.query ?? {}));
      const next = page ? linkToNext(request, data, page) : null;
      if (next) headers.append("Link", next);
      return replyOk(translateKey(locale, spec.message ?? "api.ok"), data, headers);
    } catch (error) {
      return replyError(error, locale, requestId, "RateLimit" in limits ? limits : await limitsOf(address));
    }
  };
  const pattern = routeOf(row.call.path);
  const handler: Handler = (request, { params }) =>
    withRequest(request.headers.get(REQUEST_ID_HEADER), async (record) => {
      record.route ??= pattern;
      record.wantsProblem = wantsProblem(request.headers);
      return answer(request, params, record.id);
    });
  return Object.assign(handler, { spec });
}

const made = new WeakMap<ApiRow, Promise<RouteHandler>>();

async function load(row: ApiRow): Promise<RouteHandler> {
  try {
    return makeHandler(row, "load" in row.run ? await row.run.load() : row.run);
  } catch (error) {
    made.delete(row);
    throw error;
  }
}

/** The handler of a row. A heavy operation is imported with its first call. */
export function route(row: ApiRow): Promise<RouteHandler> {
  const handler = made.get(row) ?? load(row);
  made.set(row, handler);
  return handler;
}

const KEY_IN_TEXT = /wk_(?:live|test)_[0-9A-Za-z]{20}/i;

/** Throws key_in_query for an API key in the address, which proxies and browsers write down. */
function assertNoKeyInQuery({ url }: Request): void {
  const start = url.indexOf("?");
  if (start < 0) return;
  const texts = [...new URLSearchParams(url.slice(start))].flat();
  if (texts.some((text) => KEY_IN_TEXT.test(text))) throw new DomainError("key_in_query");
}

function linkToNext(request: Request, data: unknown, name: string): string | null {
  const cursor = (data as { nextCursor?: unknown } | null)?.nextCursor;
  if (typeof cursor !== "string") return null;
  const { pathname, searchParams } = new URL(request.url);
  searchParams.set(name, cursor);
  return `<${new URL(`${pathname}?${searchParams}`, env().APP_URL).href}>; rel="next"`;
}

/** Counts a call of the API: for the session or the key, or as countVisitor does. Throws rate_limited. */
function countCall(wanted: RouteSpec["limit"], actor: StaffActor | null, visitor: Visitor) {
  if (actor?.type === "apiKey") return countKeyRequest(actor.keyId);
  // Any visitor can get a session by signing up a merchant.
  const ignoresSession = wanted === "exists" || wanted === "heavy";
  if (!actor || ignoresSession) return countVisitor(wanted ?? "public", visitor);
  return countRequest(wanted ?? "session", actor.sessionId);
}

/** The same parameters without a NUL character, which Postgres cannot store. Throws `code` for one. */
function withoutNul(values: Record<string, string>, code: "malformed" | "not_found"): Record<string, string> {
  if (Object.values(values).some((value) => value.includes("\0"))) throw new DomainError(code);
  return values;
}

/** The input under the operation's names. Throws malformed, not_found, too_large, unsupported_type, validation. */
async function readInput(spec: RouteSpec, request: Request, params: Params, check?: CheckBytes) {
  const { headers } = request;
  // A parameter that takes all further segments is joined by "/".
  const parts = Object.entries(params).map(([name, value]) => [name, [value].flat().join("/")]);
  const path = withoutNul(Object.fromEntries(parts), "not_found");
  const asked = spec.query ? Object.fromEntries(new URL(request.url).searchParams) : {};
  const query = withoutNul(asked, "malformed");
  const body = spec.body ? await readJson(request, check) : {};
  const bytes = spec.raw ? await readBytes(request, spec.raw.limit) : Buffer.alloc(0);
  const key = headers.get("idempotency-key");
  return {
    ...spec.more?.({ headers, params: path, bytes }),
    ...toDomainNames(spec.params, path),
    ...toDomainNames(spec.query, query),
    ...toDomainNames(spec.body, body),
    ...(spec.idempotent && key !== null ? { idempotencyKey: unquoted(key) } : {}),
  };
}

type TillOfRequest = { till: ProvedTill | null; checkBody?: CheckBytes };

const refused = () => new DomainError("invalid_dpop_proof");

/**
 * The till whose proof a request carries, or none. Throws invalid_dpop_proof when the operation or the session needs
 * one that is missing, refused, or another till's; use_dpop_nonce for a wrong clock; malformed for a private key.
 */
async function proveTillOf(
  db: Db,
  request: Request,
  actor: UserActor | null,
  needs: "in_use" | "kept" | null,
  now: Date,
): Promise<TillOfRequest> {
  const { headers, method } = request;
  const header = headers.get("dpop");
  const addressOf = () => new URL(env().APP_URL).origin + new URL(request.url).pathname;
  const proved =
    header === null
      ? null
      : await proveTill(db, header, { method, url: addressOf(), token: tokenOf(headers) || null }, now);
  if (proved && !isTillAccepted(proved.till, needs === "kept", now)) throw refused();
  const bound = actor?.tillId ?? null;
  // A replaced key does not prove the till of a session.
  if (bound !== null && (proved?.till.id !== bound || proved.till.replacedAt !== null)) throw refused();
  if (!proved) {
    if (needs) throw refused();
    return { till: null };
  }
  const { till, bodyHash } = proved;
  const checkBody = (bytes: Buffer) => {
    const signed = bytes.length > 0 || bodyHash !== undefined;
    if (signed && bodyHash !== sha256(bytes)) throw refused();
  };
  return { till, checkBody };
}
