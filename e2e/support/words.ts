import { readFileSync } from "node:fs";
import type { Locale } from "@/lib/domain/roles";
import type en from "@/messages/en.json";

/** The catalogue of a language, as its readers see it. */
export function wordsOf(locale: Locale): typeof en {
  return JSON.parse(readFileSync(`messages/${locale}.json`, "utf8"));
}
