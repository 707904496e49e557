/** The four staff roles, as the specification names them. Customers are not users. */
export const ROLES = ["super_admin", "admin", "merchant_owner", "branch_worker"] as const;
export type Role = (typeof ROLES)[number];

/** Whether the role is of the platform and not of a merchant. */
export const isAdministrator = (role: Role): boolean => role === "super_admin" || role === "admin";

export const LOCALES = ["en", "ar"] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = "en";
export const LOCALE_COOKIE = "locale";

/** Whether the value is a supported language. */
export function isLocale(value: unknown): value is Locale {
  return LOCALES.includes(value as Locale);
}

/** A stored language, or the other one (English by default) where none or an unknown one is stored. */
export const localeOr = (stored: unknown, other: Locale = DEFAULT_LOCALE): Locale =>
  isLocale(stored) ? stored : other;

/** The writing direction of a language. */
export function direction(locale: Locale): "ltr" | "rtl" {
  return locale === "ar" ? "rtl" : "ltr";
}

/** The language of a request: the person's choice (cookie), the first supported one of the browser, or English. */
export function pickLocale(cookie: string | undefined, acceptLanguage: string | null): Locale {
  if (isLocale(cookie)) return cookie;
  const wanted = (acceptLanguage ?? "")
    .split(",")
    .map((part) => {
      const q = Number(/;\s*q=([^;]*)/.exec(part)?.[1] ?? 1);
      return { tag: part.trim().slice(0, 2).toLowerCase(), q };
    })
    .sort((a, b) => b.q - a.q);
  return wanted.map((entry) => entry.tag).find(isLocale) ?? DEFAULT_LOCALE;
}
