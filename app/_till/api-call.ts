import { tillFetch } from "@/components/till-device/till-fetch";
import type { ActionResult, ErrorCode } from "@/lib/domain/errors";
import { TUNNEL_HEADER } from "@/lib/domain/paths";

type Envelope = {
  data?: unknown;
  code?: ErrorCode;
  message?: string;
  errors?: { path: string; message: string }[];
};

/** `handle`: the public handle of the calling session. `lost`: the message if no answer comes. */
export type Caller = { handle: string; lost: string };

/** Calls the API with this session. Answers in the same form as a server action. */
export async function callApi<W, T>(
  { handle, lost }: Caller,
  path: string,
  parse: (wire: W) => T,
  init: RequestInit = {},
): Promise<ActionResult<T>> {
  const headers = {
    Authorization: handle,
    "Content-Type": "application/json",
    ...TUNNEL_HEADER,
    ...Object.fromEntries(new Headers(init.headers)),
  };
  try {
    const signal = AbortSignal.timeout(15_000);
    const answer = await tillFetch(`/api/${path}`, { ...init, headers, signal, cache: "no-store" });
    const body = (await answer.json()) as Envelope;
    if (answer.ok) return { ok: true, data: parse(body.data as W) };
    const fieldErrors = Object.fromEntries((body.errors ?? []).map((error) => [error.path, error.message]));
    const { code = "internal", message = lost } = body;
    return { ok: false, code, message, fieldErrors };
  } catch {
    return { ok: false, code: "unavailable", message: lost, fieldErrors: {} };
  }
}
