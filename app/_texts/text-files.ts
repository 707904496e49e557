import { createHash } from "node:crypto";
import { keepTexts, type Texts, textsScript } from "@/components/theme/texts";
import { LOCALES, type Locale, ROLES, type Role } from "@/lib/domain/roles";
import { CATALOGUES } from "@/lib/i18n/translate";
import lists from "./client-texts.json";
import { type Needed, panelTexts } from "./panel-texts";

/** A file of app/ whose client components use texts, without its ending and without `/page`. */
export type Entry = keyof typeof lists;

/** The frame of the panels has the titles and menus of one role. */
export const FRAME = "_panels/panel-frame" satisfies Entry;

const hash = (text: string) => createHash("sha256").update(text).digest("base64url");

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

/** Five letters for an entry, the same in every build and language. */
const idOf = (entry: Entry, role?: Role) => hash(`${entry} ${role ?? ""}`).slice(0, 5);

type TextFile = { file: string; texts: Texts };

function make(locale: Locale, entry: Entry, role?: Role): TextFile {
  const needed: Needed = role ? panelTexts(role) : {};
  const keys = lists[entry].split(" ");
  const texts = pick(
    CATALOGUES[locale],
    keys.flatMap((key) => needed[key]?.map((part) => `${key}.${part}`) ?? key),
  );
  const file = `${locale}/${idOf(entry, role)}.${hash(JSON.stringify(texts)).slice(0, 8)}`;
  keepTexts(file, texts);
  return { file, texts };
}

const made = new Map<string, TextFile>();

function fileOf(locale: Locale, entry: Entry, role?: Role): TextFile {
  const name = `${locale} ${entry} ${role}`;
  const one = made.get(name) ?? make(locale, entry, role);
  made.set(name, one);
  return one;
}

/**
 * Answers the name of the file with the texts that the client components of an entry use:
 * `<language>/<entry>.<hash of the texts>`. Browsers cache the file, so a page carries its name instead of
 * the texts. `role` is for the frame of the panels.
 */
export const textFile = (locale: Locale, entry: Entry, role?: Role): string =>
  fileOf(locale, entry, role).file;

type Named = { entry: Entry; role?: Role };

/** Every entry, the frame once a role, by its letters. */
const entries = new Map(
  (Object.keys(lists) as Entry[])
    .flatMap((entry): Named[] => (entry === FRAME ? ROLES.map((role) => ({ entry, role })) : [{ entry }]))
    .map((one) => [idOf(one.entry, one.role), one]),
);

/**
 * Answers the script for a file name, or null if the entry does not exist. If the name has another version
 * than this build has, the answer still has this build's texts: while two versions run, a page of one version
 * may ask a server of the other. `same` is true if the versions are equal.
 */
export function answerTexts(locale: string, asked: string): { script: string; same: boolean } | null {
  const known = LOCALES.find((one) => one === locale);
  const one = entries.get(asked.slice(0, asked.indexOf(".")));
  if (!known || !one) return null;
  const { file, texts } = fileOf(known, one.entry, one.role);
  return { script: textsScript(file, texts), same: `${known}/${asked}` === `${file}.js` };
}
