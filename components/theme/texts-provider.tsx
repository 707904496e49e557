"use client";

import { NextIntlClientProvider, useLocale, useMessages } from "next-intl";
import type { ReactNode } from "react";
import type { Texts } from "./texts";
import { useTexts } from "./use-texts";

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

/** Texts are the same objects as long as the page or the server runs: so are those that were put together. */
const together = new WeakMap<Texts, WeakMap<Texts, Texts>>();

function both(outer: Texts, inner: Texts): Texts {
  const known = together.get(outer) ?? new WeakMap<Texts, Texts>();
  together.set(outer, known);
  const merged = known.get(inner) ?? merge(outer, inner);
  known.set(inner, merged);
  return merged;
}

/** Adds the texts of a file to those that the client components below it already have. */
export function TextsProvider({ file, children }: { file: string; children: ReactNode }) {
  const messages = both(useMessages() as Texts, useTexts(file));
  return (
    <NextIntlClientProvider locale={useLocale()} messages={messages}>
      {children}
    </NextIntlClientProvider>
  );
}
