"use client";

import { useEffect } from "react";

/** Dialogs and menus stand in the body, outside the page's own frame: they take its accent from there. */
export function usePortalTheme(theme: "red" | "blue"): void {
  useEffect(() => {
    document.body.dataset.theme = theme;
    return () => {
      delete document.body.dataset.theme;
    };
  }, [theme]);
}
