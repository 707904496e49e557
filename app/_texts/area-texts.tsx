import { NextIntlClientProvider } from "next-intl";
import { getLocale } from "next-intl/server";
import type { ReactNode } from "react";
import type { Locale } from "@/lib/domain/roles";
import { CATALOGUES, type Messages } from "@/lib/i18n/translate";
import { AREAS, type Area } from "./areas";

type Texts = { [key: string]: string | Texts };

/** The texts of an area. A whole namespace is the catalogue's own object, so React sends it once a page. */
function textsOf(area: Area, locale: Locale): Partial<Messages> {
  const texts: Texts = {};
  for (const path of AREAS[area]) {
    const parts = path.split(".");
    const last = parts.pop() ?? "";
    let from: Texts = CATALOGUES[locale];
    let to = texts;
    for (const part of parts) {
      from = from[part] as Texts;
      to = to[part] = { ...(to[part] as Texts) };
    }
    to[last] = from[last] as Texts;
  }
  return texts as Partial<Messages>;
}

/** Gives the client components below it the texts of their area. */
export async function AreaTexts({ area, children }: { area: Area; children: ReactNode }) {
  const locale = (await getLocale()) as Locale;
  return <NextIntlClientProvider messages={textsOf(area, locale)}>{children}</NextIntlClientProvider>;
}
