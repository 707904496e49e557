"use client";

import { useEffect } from "react";
import type { ActionResult } from "@/lib/domain/errors";

/**
 * Keeps local storage's `token` equal to the session's handle and follows the other tabs: a token that is set there
 * reloads this page, one that is removed sends it to the login page. Without a handle (public pages) it only follows.
 * With `onGone` a removed token is the page's own affair.
 */
export function SessionWatch({ handle, onGone }: { handle?: string; onGone?: () => void }) {
  useEffect(() => {
    if (handle && localStorage.getItem(TOKEN_KEY) !== handle) localStorage.setItem(TOKEN_KEY, handle);
  }, [handle]);
  useEffect(() => {
    const follow = (event: StorageEvent) => {
      if (event.key !== TOKEN_KEY && event.key !== null) return;
      const token = localStorage.getItem(TOKEN_KEY);
      if (token === null) {
        if (onGone) onGone();
        else if (handle) window.location.assign("/login");
      } else if (token !== handle) window.location.reload();
    };
    window.addEventListener("storage", follow);
    return () => window.removeEventListener("storage", follow);
  }, [handle, onGone]);
  return null;
}

/** The name under which the session's public handle stands in local storage. */
export const TOKEN_KEY = "token";

/**
 * Leaves for the login page, which leads back here, without the handle. An ended session goes over /session/ended,
 * which clears its cookie; one that never was (401) is told "Permission Denied".
 */
export function leaveForLogin(ended: boolean): void {
  localStorage.removeItem(TOKEN_KEY);
  const from = encodeURIComponent(window.location.pathname + window.location.search);
  window.location.assign(ended ? `/session/ended?from=${from}` : `/login?denied=1&from=${from}`);
}

/** Leaves for the login page when an action was refused for want of a session; answers whether it did. */
export function leaveWhenSignedOut(result: ActionResult<unknown>): boolean {
  if (result.ok || (result.code !== "session_ended" && result.code !== "unauthenticated")) return false;
  leaveForLogin(result.code === "session_ended");
  return true;
}

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
