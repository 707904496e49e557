"use client";

import { NextIntlClientProvider, useLocale, useMessages } from "next-intl";
import { type ReactNode, useMemo } from "react";

/** A part of the catalogue: texts by key, or deeper parts. A build may have compiled a text into a list. */
export type Texts = { [key: string]: string | readonly unknown[] | Texts };

const isPart = (value: Texts[string] | undefined): value is Texts =>
  typeof value === "object" && !Array.isArray(value);

function merge(outer: Texts, inner: Texts): Texts {
  const merged = { ...outer };
  for (const [key, value] of Object.entries(inner)) {
    const known = merged[key];
    merged[key] = isPart(known) && isPart(value) ? merge(known, value) : value;
  }
  return merged;
}

/** Adds texts to those that the client components below it already have. */
export function TextsProvider({ texts, children }: { texts: Texts; children: ReactNode }) {
  const outer = useMessages() as Texts;
  const messages = useMemo(() => merge(outer, texts), [outer, texts]);
  return (
    <NextIntlClientProvider locale={useLocale()} messages={messages}>
      {children}
    </NextIntlClientProvider>
  );
}
