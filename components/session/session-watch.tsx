"use client";

import { useEffect } from "react";
import { TOKEN_KEY } from "./signed-out";

/**
 * Keeps local storage's `token` equal to the session's handle and follows the other tabs: a token that is set there
 * reloads this page, one that is removed sends it to the login page. Without a handle (public pages) it only follows.
 */
export function SessionWatch({ handle }: { handle?: string }) {
  useEffect(() => {
    if (handle && localStorage.getItem(TOKEN_KEY) !== handle) localStorage.setItem(TOKEN_KEY, handle);
    const follow = (event: StorageEvent) => {
      if (event.key !== TOKEN_KEY && event.key !== null) return;
      const token = localStorage.getItem(TOKEN_KEY);
      if (token === null) {
        if (handle) window.location.assign("/login");
      } else if (token !== handle) window.location.reload();
    };
    window.addEventListener("storage", follow);
    return () => window.removeEventListener("storage", follow);
  }, [handle]);
  return null;
}
