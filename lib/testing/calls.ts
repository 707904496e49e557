import { openSession } from "@/lib/accounts/session";
import type { Handler } from "@/lib/api/match";
import type { Db } from "@/lib/db/client";

/** A new session token of a user, like the one from sign-in. */
export async function tokenOf(db: Db, user: { id: string }): Promise<string> {
  const from = { userId: user.id, userAgent: null, address: "127.0.0.1", now: new Date() };
  return (await openSession(db, from)).token;
}

export type JsonAnswer = {
  status: number;
  message: string;
  code?: string;
  errors?: { path: string; message: string }[];
  data: unknown;
};

/** Calls a route handler like HTTP does, with token, JSON body, path parameters and query. Answers the parsed JSON. */
export async function call(
  handler: Handler,
  {
    method = "GET",
    token,
    body,
    params = {},
    query = "",
    headers = {},
  }: {
    method?: string;
    token?: string;
    body?: unknown;
    params?: Record<string, string>;
    query?: string;
    headers?: Record<string, string>;
  } = {},
): Promise<JsonAnswer> {
  const request = new Request(`http://localhost:3000/api/test${query}`, {
    method,
    headers: {
      ...(token ? { authorization: token } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await handler(request, { params });
  return (await response.json()) as JsonAnswer;
}
