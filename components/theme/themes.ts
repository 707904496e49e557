import { type LucideIcon, MonitorIcon, MoonIcon, SunIcon } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { THEME_COOKIE, type Theme, themeClass } from "@/lib/domain/theme";

export const THEMES: Record<Theme, LucideIcon> = { light: SunIcon, dark: MoonIcon, system: MonitorIcon };

const KEY = "theme";
const YEAR_SECONDS = 365 * 24 * 60 * 60;
const listeners = new Set<() => void>();

function chosenTheme(): Theme {
  try {
    return themeClass(localStorage.getItem(KEY)) ?? "system";
  } catch {
    // The browser keeps nothing.
    return "system";
  }
}

/** Shows the choice, and tells the server for the next page. A page that shows it already has it from the server. */
function showTheme(): void {
  const chosen = themeClass(chosenTheme());
  const { classList } = document.documentElement;
  if (chosen ? classList.contains(chosen) : !classList.contains("light") && !classList.contains("dark"))
    return;
  classList.remove("light", "dark");
  if (chosen) classList.add(chosen);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in older browsers
  document.cookie = `${THEME_COOKIE}=${chosen ?? ""}; path=/; samesite=lax; max-age=${chosen ? YEAR_SECONDS : 0}`;
}

function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The browser keeps nothing, so the device goes on deciding.
  }
  showTheme();
  for (const listener of listeners) listener();
}

function onChange(listener: () => void): () => void {
  const stored = ({ key }: StorageEvent) => {
    if (key === KEY) listener();
  };
  listeners.add(listener);
  window.addEventListener("storage", stored);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", stored);
  };
}

/** The user's choice and how to change it. The server answers undefined, because a page may be older than the choice. */
export function useTheme(): { theme: Theme | undefined; setTheme: (theme: Theme) => void } {
  const theme = useSyncExternalStore(onChange, chosenTheme, () => undefined);
  return { theme, setTheme: chooseTheme };
}

/** Follows the choice of other tabs, and that of a browser whose cookie is gone or whose page was stored before it. */
export function useChosenTheme(): void {
  useEffect(() => {
    showTheme();
    return onChange(showTheme);
  }, []);
}
