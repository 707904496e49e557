"use client";

import { createContext, useEffect } from "react";
import { confirmIdentity } from "@/components/session/step-up";
import { tillFetch } from "@/components/till-device/till-fetch";
import type { ActionResult } from "@/lib/domain/errors";
import { TUNNEL_HEADER } from "@/lib/domain/paths";
import { afterTill, clearTab, postSignOut, TOKEN_KEY } from "./stored-session";

/**
 * Keeps `token` in local storage equal to the session's handle and follows other tabs: a token that is set there reloads
 * this page, a removed one signs out. Without a handle (public pages) it only follows. `onTokenRemoved` replaces the
 * redirect to the login page.
 */
export function SessionWatch({ handle, onTokenRemoved }: { handle?: string; onTokenRemoved?: () => void }) {
  useEffect(() => {
    if (handle && localStorage.getItem(TOKEN_KEY) !== handle) localStorage.setItem(TOKEN_KEY, handle);
  }, [handle]);
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      if (event.key !== TOKEN_KEY && event.key !== null) return;
      const token = localStorage.getItem(TOKEN_KEY);
      if (token === null) {
        if (onTokenRemoved) onTokenRemoved();
        else if (handle) {
          clearTab();
          // By the time it is sent, somebody may have signed in again in the other tab.
          postSignOut(undefined, handle);
        }
      } else if (token !== handle) window.location.reload();
    };
    // The browser's Back may show a page as it was left, without asking the server.
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted && handle && localStorage.getItem(TOKEN_KEY) !== handle) window.location.reload();
    };
    window.addEventListener("storage", onStorage);
    window.addEventListener("pageshow", onShow);
    return () => {
      window.removeEventListener("storage", onStorage);
      window.removeEventListener("pageshow", onShow);
    };
  }, [handle, onTokenRemoved]);
  return null;
}

/**
 * Removes the handle and opens the login page, which returns to this page. An ended session goes through
 * /session/ended, which clears its cookie; without any session (401) the login page shows "Permission Denied".
 */
export function redirectToLogin(ended: boolean): void {
  localStorage.removeItem(TOKEN_KEY);
  const from = encodeURIComponent(window.location.pathname + window.location.search);
  if (ended) afterTill(() => window.location.assign(`/session/ended?from=${from}`));
  // The cookie may still be live: login would lead back here.
  else postSignOut(`/login?denied=1&from=${from}`);
}

/** The page's function for a missing session. The argument is true if the session has ended. */
export const SignedOutContext = createContext<(ended: boolean) => void>(redirectToLogin);

/**
 * Opens the login page, or calls `onSignedOut`, if an action was refused because the session is missing.
 * Answers whether it was refused for this reason.
 */
export function redirectIfSignedOut(result: ActionResult<unknown>, onSignedOut = redirectToLogin): boolean {
  if (result.ok || (result.code !== "session_ended" && result.code !== "unauthenticated")) return false;
  onSignedOut(result.code === "session_ended");
  return true;
}

const SIGNED_OUT_STATUSES = new Set([401, 417]);

/** Answers the code of a refusal without consuming its body. */
async function codeOf(response: Response): Promise<string | undefined> {
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { code?: string } | undefined;
  return body?.code;
}

/**
 * `fetch` for our API from a panel. It sends the session's handle as the raw Authorization header, and on a
 * till the till proof. If the session is missing or has ended (401, 417), it removes the handle and opens the
 * login page.
 */
export async function apiFetch(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers({ ...TUNNEL_HEADER, ...Object.fromEntries(new Headers(init.headers)) });
  const token = localStorage.getItem(TOKEN_KEY);
  if (token && !headers.has("authorization")) headers.set("authorization", token);
  const response = await tillFetch(path, { ...init, headers });
  const code = response.ok ? undefined : await codeOf(response);
  // The first step of a sign-in: the session of this browser, if any, has not ended.
  if (code === "second_factor_required") return response;
  if (code === "step_up_required" && (await confirmIdentity())) return apiFetch(path, init);
  if (SIGNED_OUT_STATUSES.has(response.status)) redirectToLogin(response.status === 417);
  return response;
}
