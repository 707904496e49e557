"use client";

import { createContext, useEffect } from "react";
import type { Answer } from "@/lib/api/client";
import type { ActionResult } from "@/lib/domain/errors";
import { afterTill, clearTab, postSignOut, TOKEN_KEY } from "./stored-session";

/** Keeps `token` the session's handle. Another tab's new token reloads the page, a removed one signs out. */
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

/** Opens the login page, which returns here. /session/ended clears the cookie of a session that has ended. */
function redirectToLogin(ended: boolean): void {
  localStorage.removeItem(TOKEN_KEY);
  const from = encodeURIComponent(window.location.pathname + window.location.search);
  if (ended) afterTill(() => window.location.assign(`/session/ended?from=${from}`));
  // The cookie may still be live: login would lead back here.
  else postSignOut(`/login?denied=1&from=${from}`);
}

/** The page's function for a missing session. The argument is true if the session has ended. */
export const SignedOutContext = createContext<(ended: boolean) => void>(redirectToLogin);

/** Opens the login page, or calls `onSignedOut`, if an action was refused for a missing session. Answers whether it was. */
export function redirectIfSignedOut(result: ActionResult<unknown>, onSignedOut = redirectToLogin): boolean {
  if (result.ok || (result.code !== "session_ended" && result.code !== "unauthenticated")) return false;
  onSignedOut(result.code === "session_ended");
  return true;
}

/** Opens the login page if a call of the API was refused because the session is missing or has ended. Answers the answer. */
export function leaveIfSignedOut<T>(answer: Answer<T>): Answer<T> {
  // The first step of a sign-in: the session of this browser, if any, has not ended.
  if (answer.kind === "signedOut" && answer.code !== "second_factor_required") redirectToLogin(answer.ended);
  return answer;
}
