import { getLocale } from "next-intl/server";
import type { ComponentType, ReactNode } from "react";
import { type Texts, TextsProvider } from "@/components/theme/texts-provider";
import type { Locale } from "@/lib/domain/roles";
import { CATALOGUES } from "@/lib/i18n/translate";
import lists from "./client-texts.json";

/** A file of app/ whose client components use texts, without its ending and without `/page`. */
type Entry = keyof typeof lists;

const picked = new Map<string, Texts>();

/** The part of the catalogue with these keys, each a text or everything below it. */
function pick(messages: Texts, keys: readonly string[]): Texts {
  const result: Texts = {};
  for (const key of keys) {
    const parts = key.split(".");
    const last = parts.pop() ?? "";
    let from = messages;
    let to = result;
    for (const part of parts) {
      from = from[part] as Texts;
      to[part] ??= {};
      to = to[part] as Texts;
    }
    to[last] = from[last] as Texts;
  }
  return result;
}

/** The texts that the client components of an entry use, in the language of the request. */
export async function textsOf(entry: Entry): Promise<Texts> {
  const locale = (await getLocale()) as Locale;
  const name = `${locale} ${entry}`;
  const texts = picked.get(name) ?? pick(CATALOGUES[locale], lists[entry].split(" "));
  picked.set(name, texts);
  return texts;
}

/** Gives the client components below it the texts of an entry, besides those of the layouts around it. */
export async function ClientTexts({ of, children }: { of: Entry; children: ReactNode }) {
  return <TextsProvider texts={await textsOf(of)}>{children}</TextsProvider>;
}

/** A page with the texts of its client components. `npm run texts` writes which ones those are. */
export function withTexts<P extends object>(of: Entry, Page: ComponentType<P>) {
  return function PageWithTexts(props: P) {
    return (
      <ClientTexts of={of}>
        <Page {...props} />
      </ClientTexts>
    );
  };
}
