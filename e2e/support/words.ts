import { readFileSync } from "node:fs";
import type { Locale } from "@/lib/domain/roles";
import type en from "@/messages/en.json";

export type Words = typeof en;

/** The message catalogue of a language. */
export function wordsOf(locale: Locale): Words {
  return JSON.parse(readFileSync(`messages/${locale}.json`, "utf8"));
}
