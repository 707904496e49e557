import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { isId } from "@/lib/domain/is-id";
import { oncePerProcess } from "./once";

/**
 * `route` is a pattern, such as "/api/branches/:id". `retryAfter`, in seconds, makes the answer of a page or server action a
 * 503. `wantsProblem`: the caller asked for refusals by RFC 9457.
 */
export type RequestRecord = {
  id: string;
  route?: string;
  served?: Served;
  retryAfter?: number;
  wantsProblem?: boolean;
};

/** The means that our own server (lib/api/server) offers a handler. Absent where Next serves. */
type Served = {
  /** A Response with this text, made at less cost than the platform's. */
  answer: (body: string, init: { status: number; headers: Headers }) => Response;
  /** The whole body of the request; undefined above `limit` bytes. */
  read: (limit: number) => Promise<Buffer | undefined>;
  /** Runs work once the answer was sent. A server that ends waits for it. */
  after: (work: () => Promise<void>) => void;
};

const requests = oncePerProcess("requests", () => new AsyncLocalStorage<RequestRecord>());

export const REQUEST_ID_HEADER = "x-request-id";

/** The id of a request: the caller's own if it is a UUID, so that no other text reaches the log, otherwise a new one. */
export function requestIdOf(given: string | string[] | null | undefined): string {
  return isId(given) ? given.toLowerCase() : randomUUID();
}

/** The request in progress, or undefined outside of one. */
export function currentRequest(): RequestRecord | undefined {
  return requests.getStore();
}

/** Makes this the request in progress for the rest of the current call and everything that it starts. */
export function enterRequest(record: RequestRecord): void {
  requests.enterWith(record);
}

/** Runs `work` as the request in progress. Starts a new request if no server has started one. */
export function withRequest<T>(given: string | null, work: (record: RequestRecord) => T): T {
  const current = requests.getStore();
  if (current) return work(current);
  const record = { id: requestIdOf(given) };
  return requests.run(record, () => work(record));
}
