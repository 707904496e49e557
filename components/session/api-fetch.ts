import { leaveForLogin, TOKEN_KEY } from "./signed-out";

const ENDED = new Set([401, 417]);

/**
 * `fetch` for our own API from a panel: sends the session's handle as the raw Authorization header. An ended or
 * missing session (401, 417) removes the handle and goes to the login page.
 */
export async function apiFetch(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const token = localStorage.getItem(TOKEN_KEY);
  if (token && !headers.has("authorization")) headers.set("authorization", token);
  const response = await fetch(path, { ...init, headers });
  if (ENDED.has(response.status)) leaveForLogin(response.status === 417);
  return response;
}
