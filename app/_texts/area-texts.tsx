import { NextIntlClientProvider } from "next-intl";
import { getLocale } from "next-intl/server";
import type { ReactNode } from "react";
import type { Locale } from "@/lib/domain/roles";
import { CATALOGUES, type Messages } from "@/lib/i18n/translate";
import { AREAS, type Area } from "./areas";

type Texts = { [key: string]: string | Texts };

const parts = new Map<string, Texts>();

/** Copies `paths` of a namespace, once a process. */
function partsOf(locale: Locale, name: string, paths: readonly string[]): Texts {
  const key = [locale, name, ...paths].join(" ");
  const known = parts.get(key);
  if (known) return known;
  const copy: Texts = {};
  for (const path of paths) {
    const keys = path.split(".");
    const last = keys.pop() ?? "";
    let from = (CATALOGUES[locale] as Texts)[name] as Texts;
    let to = copy;
    for (const part of keys) {
      from = from[part] as Texts;
      to = to[part] = { ...(to[part] as Texts) };
    }
    to[last] = from[last] as Texts;
  }
  parts.set(key, copy);
  return copy;
}

/**
 * The texts of an area. React sends an object once a page, so a namespace is the catalogue's own object, and some parts
 * of one are the same object in each layout that names them.
 */
function textsOf(area: Area, locale: Locale): Partial<Messages> {
  const whole = new Set<string>();
  const some = new Map<string, string[]>();
  for (const path of AREAS[area]) {
    const [name = "", ...rest] = path.split(".");
    if (rest.length === 0) whole.add(name);
    else some.set(name, [...(some.get(name) ?? []), rest.join(".")]);
  }
  const texts: Texts = {};
  for (const [name, paths] of some) texts[name] = partsOf(locale, name, paths);
  for (const name of whole) texts[name] = (CATALOGUES[locale] as Texts)[name] as Texts;
  return texts as Partial<Messages>;
}

/** Gives the client components below it the texts of their area. */
export async function AreaTexts({ area, children }: { area: Area; children: ReactNode }) {
  const locale = await getLocale();
  return <NextIntlClientProvider messages={textsOf(area, locale)}>{children}</NextIntlClientProvider>;
}

/** The layout of the pages of an area. */
export const areaLayout =
  (area: Area) =>
  ({ children }: { children: ReactNode }) => <AreaTexts area={area}>{children}</AreaTexts>;
