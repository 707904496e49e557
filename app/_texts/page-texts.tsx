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
    if (from[last] !== undefined) to[last] = from[last];
  }
  return result;
}

/** Of some parts of the catalogue, the keys that are needed; the rest of such a part is left out. */
export type Needed = Readonly<Record<string, readonly string[]>>;

/** The texts that the client components of an entry use, in the language of the request. */
export async function textsOf(entry: Entry, needed: Needed = {}): Promise<Texts> {
  const locale = (await getLocale()) as Locale;
  const name = `${locale} ${entry} ${Object.values(needed).join(" ")}`;
  const keys = lists[entry].split(" ");
  const texts =
    picked.get(name) ??
    pick(
      CATALOGUES[locale],
      keys.flatMap((key) => needed[key]?.map((part) => `${key}.${part}`) ?? key),
    );
  picked.set(name, texts);
  return texts;
}

/** Gives the client components below it the texts of an entry, besides those of the layouts around it. */
export async function ClientTexts({
  of,
  needed,
  children,
}: {
  of: Entry;
  needed?: Needed;
  children: ReactNode;
}) {
  return <TextsProvider texts={await textsOf(of, needed)}>{children}</TextsProvider>;
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
