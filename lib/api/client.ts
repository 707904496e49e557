import type { Call } from "@/lib/calls/bind";
import { domainPath, encodeNames, KEY_NAMES } from "@/lib/calls/names";
import type { ActionResult, ErrorCode } from "@/lib/domain/errors";
import { TUNNEL_HEADER } from "@/lib/domain/paths";
import { connection, type Send } from "./connection";

// For browsers and the service worker. `lib/<subject>/names.ts` names the calls and reads their answers.

/** Milliseconds after which an answer counts as lost. The same request may then be sent again with its key. */
const TIMEOUT_MS = 15_000;

/** The server's reason, as far as it gave one. Paths of `fieldErrors` are those of the input. */
type Reason = {
  /** Empty where the answer was not of this API, such as a proxy's page. */
  code: string;
  message: string;
  fieldErrors?: Record<string, string>;
  status?: number;
  /** Seconds after which to try again. */
  retryAfter?: number | null;
};

/**
 * The outcome of a call. "refused" is definite: nothing was done. "lost" is not: no answer came or the server failed, so the
 * same key must be sent again; `noAnswer` where nothing came back at all.
 */
export type Answer<T> =
  /** `serverNow`: the server's clock, as its Date header says it. `replayed`: an earlier request with this key did it. */
  | { kind: "ok"; data: T; serverNow?: string | null; replayed?: true }
  | ({ kind: "refused" } & Reason)
  | ({ kind: "lost"; noAnswer?: true } & Partial<Reason>)
  | ({ kind: "signedOut"; ended: boolean } & Partial<Reason>);

export type CallOptions = {
  /** The public handle of the session that calls; null for none. Without it, the browser's session. */
  session?: string | null;
  signal?: AbortSignal;
  /** In milliseconds. */
  timeout?: number;
  /** Sends the request in another way than the page does, such as with another till's proof. */
  send?: Send;
};

type AnyCall = Call<string, never>;
type FieldsOf<N> =
  N extends Record<string, infer Named>
    ? Named extends string
      ? Named
      : Named extends { field: infer F }
        ? F
        : never
    : never;
type Named<C extends AnyCall> = FieldsOf<C["params"]> | FieldsOf<C["query"]> | FieldsOf<C["body"]>;
/** The input of a call under the operation's names. An `idempotencyKey` is sent as the header. */
export type InputOf<C extends AnyCall> = (C extends { input: infer I }
  ? Omit<NonNullable<I>, "idempotencyKey">
  : { [F in Named<C> & string]?: unknown }) & { idempotencyKey?: string };
export type ViewOf<C extends AnyCall> = C["reply"] extends { view: (data: never) => infer V }
  ? V
  : C["reply"] extends { schema: { _zod: { output: infer D } } }
    ? D
    : unknown;

type Envelope = {
  data?: unknown;
  code?: string;
  message?: string;
  errors?: { path: string; message: string }[];
};

function addressOf({ path, params = {}, query }: AnyCall, input: Record<string, unknown>): string {
  const values = encodeNames(params, input);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const asked = Object.entries(encodeNames(query, input)).map(([name, value]) => [name, String(value)]);
  return `/api/${filled}${asked.length > 0 ? `?${new URLSearchParams(asked)}` : ""}`;
}

function requestOf(call: AnyCall, input: Record<string, unknown>, session: string | null): RequestInit {
  const headers = new Headers({ "Content-Type": "application/json", ...TUNNEL_HEADER });
  if (session !== null) headers.set("Authorization", session);
  for (const [name, value] of Object.entries(encodeNames(KEY_NAMES, input))) headers.set(name, String(value));
  const body = call.body && JSON.stringify(encodeNames(call.body, input));
  return { method: call.method, headers, body: body ?? null, cache: "no-store" };
}

function reasonOf(call: AnyCall, { status, headers }: Response, body: Envelope | null): Reason {
  const names = { ...call.params, ...call.query, ...call.body, ...KEY_NAMES };
  const problems = (body?.errors ?? []).map(({ path, message }) => [domainPath(names, path), message]);
  return {
    code: body?.code ?? "",
    message: body?.message ?? "",
    fieldErrors: Object.fromEntries(problems),
    status,
    retryAfter: Number(headers.get("retry-after")) || null,
  };
}

/**
 * Calls the API; never throws. After the user confirmed who they are, it repeats the request with its key.
 * `named` may still load, on pages that show themselves first; where it cannot be loaded, no answer came.
 */
export async function api<C extends AnyCall>(
  named: C | Promise<C>,
  input: InputOf<C>,
  options: CallOptions = {},
): Promise<Answer<ViewOf<C>>> {
  const page = connection();
  const { session = page.session(), send = page.send, signal, timeout = TIMEOUT_MS } = options;
  try {
    const call = await named;
    const limit = AbortSignal.timeout(timeout);
    const init = requestOf(call, input, session);
    init.signal = signal ? AbortSignal.any([limit, signal]) : limit;
    const response = await send(addressOf(call, input), init);
    const { status, ok } = response;
    if (ok) {
      const { data } = (await response.json()) as Envelope;
      if (data === undefined) throw new Error("not an answer of the API");
      const view = call.reply?.view as ((data: unknown) => unknown) | undefined;
      const read = view ? view(data) : data;
      const done = { kind: "ok", data: read as ViewOf<C>, serverNow: response.headers.get("date") } as const;
      return response.headers.has("idempotency-replayed") ? { ...done, replayed: true } : done;
    }
    if (status === 401 || status === 417) {
      const body = (await response.json().catch(() => null)) as Envelope | null;
      const reason = reasonOf(call, response, body);
      // It is about the clock of a till, and not about the session.
      if (reason.code === "use_dpop_nonce") return { kind: "lost", ...reason };
      return { kind: "signedOut", ended: status === 417, ...reason };
    }
    const reason = reasonOf(call, response, (await response.json()) as Envelope);
    if (status < 500 && reason.code === "") throw new Error("not an answer of the API");
    if (reason.code === "step_up_required" && (await page.confirm())) return await api(call, input, options);
    return { kind: status >= 500 ? "lost" : "refused", ...reason };
  } catch {
    // Offline, timed out, an incomplete answer or one of a gateway; unless the caller gave it up.
    return { kind: "lost", ...(signal?.aborted ? {} : { noAnswer: true }) };
  }
}

/** An answer for a form. A lost one is unavailable or outcome_unknown, by default with the message `lost`. */
export function toResult<T>(answer: Answer<T>, lost: string): ActionResult<T> {
  if (answer.kind === "ok") return { ok: true, data: answer.data, replayed: answer.replayed };
  const { fieldErrors = {}, message = "" } = answer;
  const failed = (code: string) =>
    ({ ok: false, code: code as ErrorCode, message: message || lost, fieldErrors }) as const;
  if (answer.kind === "lost")
    return failed(answer.code === "outcome_unknown" ? "outcome_unknown" : "unavailable");
  if (answer.kind === "signedOut")
    return failed(answer.code || (answer.ended ? "session_ended" : "unauthenticated"));
  // The client has asked already, so the form must not ask again.
  return failed(answer.code === "step_up_required" ? "forbidden" : answer.code);
}

/** The same answer with other data. */
export function mapAnswer<T, U>(answer: Answer<T>, to: (data: T, serverNow: string | null) => U): Answer<U> {
  return answer.kind === "ok" ? { kind: "ok", data: to(answer.data, answer.serverNow ?? null) } : answer;
}
