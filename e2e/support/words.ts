import { readFileSync } from "node:fs";
import type { Locale } from "@/lib/domain/roles";
import type en from "@/messages/en.json";

/** The message catalogue of a language. */
export function wordsOf(locale: Locale): typeof en {
  return JSON.parse(readFileSync(`messages/${locale}.json`, "utf8"));
}
