"use client";

import { useEffect } from "react";

/** Sets the accent on the body, where dialogs and menus are rendered, outside the page's frame. */
export function usePortalTheme(theme: "red" | "blue"): void {
  useEffect(() => {
    document.body.dataset.theme = theme;
    return () => {
      delete document.body.dataset.theme;
    };
  }, [theme]);
}
