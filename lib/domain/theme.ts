export type Theme = "light" | "dark" | "system";

/** The cookie that tells the server the choice. Without it the device decides. */
export const THEME_COOKIE = "theme";

/** The document's class for a stored choice: the theme, or undefined where the device decides. */
export const themeClass = (stored: string | null | undefined): "light" | "dark" | undefined =>
  stored === "light" || stored === "dark" ? stored : undefined;
