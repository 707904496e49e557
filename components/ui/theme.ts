"use client";

import { useSyncExternalStore } from "react";

const THEME_KEY = "theme";
const DARK = "(prefers-color-scheme: dark)";
/** As app/globals.css names it: nothing moves while the theme changes. */
const STILL = "theme-changes";

export type Theme = "light" | "dark" | "system";

/**
 * Shows the chosen theme before anything is painted. Without storage it is the system's. The same rules as below, which
 * are loaded later.
 */
export const THEME_SCRIPT = `{let t;try{t=localStorage.${THEME_KEY}}catch{}document.documentElement.classList.toggle("dark",t=="dark"||t!="light"&&matchMedia("${DARK}").matches)}`;

const listeners = new Set<() => void>();
let unsaved: Theme | undefined;

function read(): Theme {
  try {
    const stored = localStorage.getItem(THEME_KEY);
    return stored === "light" || stored === "dark" ? stored : "system";
  } catch {
    return unsaved ?? "system";
  }
}

function show(): void {
  const root = document.documentElement;
  const theme = read();
  const dark = theme === "dark" || (theme === "system" && window.matchMedia(DARK).matches);
  if (root.classList.contains("dark") === dark) return;
  root.classList.add(STILL);
  root.classList.toggle("dark", dark);
  // Reading a style makes the browser compute it, without transitions.
  window.getComputedStyle(document.body).getPropertyValue("color");
  setTimeout(() => root.classList.remove(STILL), 1);
}

function changed(): void {
  show();
  for (const listener of listeners) listener();
}

/** Follows the system's theme and other tabs. Answers a function that stops this. */
export function followTheme(): () => void {
  const system = window.matchMedia(DARK);
  const onStorage = ({ key }: StorageEvent) => (key === THEME_KEY || key === null) && changed();
  show();
  system.addEventListener("change", show);
  window.addEventListener("storage", onStorage);
  return () => {
    system.removeEventListener("change", show);
    window.removeEventListener("storage", onStorage);
  };
}

function setTheme(theme: Theme): void {
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // It lasts as long as this page.
    unsaved = theme;
  }
  changed();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The chosen theme, and how to choose another one. The server renders without knowing it. */
export function useTheme(): { theme: Theme; setTheme: (theme: Theme) => void } {
  return { theme: useSyncExternalStore(subscribe, read, () => "system"), setTheme };
}
