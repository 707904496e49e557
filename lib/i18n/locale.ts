import { DEFAULT_LOCALE, isLocale, LOCALE_COOKIE, type Locale } from "@/lib/domain/roles";

export { LOCALE_COOKIE };

/** The language asked for: the person's choice (cookie), else the browser's first that we speak, else English. */
export function pickLocale(cookie: string | undefined, acceptLanguage: string | null): Locale {
  if (isLocale(cookie)) return cookie;
  const wanted = (acceptLanguage ?? "")
    .split(",")
    .map((part) => {
      const [tag = "", ...rest] = part.trim().split(";");
      const q = rest.find((piece) => piece.trim().startsWith("q="));
      return { tag: tag.trim().slice(0, 2).toLowerCase(), q: q ? Number(q.trim().slice(2)) : 1 };
    })
    .sort((a, b) => b.q - a.q);
  return wanted.map((entry) => entry.tag).find(isLocale) ?? DEFAULT_LOCALE;
}
