import type { Writer } from "@/lib/calls/bind";
import { LOCALES, type Locale } from "@/lib/domain/roles";
import { imageUrl, signupUrl } from "@/lib/files/media-url";
import { customerNameOf } from "@/lib/i18n/translate";
import { translateKey } from "./problems";

const makeWriter = (locale: Locale): Writer => ({
  locale,
  actorName: ({ type, name }) => (type === "user" ? name : translateKey(locale, `movements.actors.${type}`)),
  customerName: (movement) => customerNameOf(movement, locale),
  whyKept: (code) => translateKey(locale, `offline.why.${code}`),
  imageUrl,
  signupUrl,
});

const writers = Object.fromEntries(LOCALES.map((locale) => [locale, makeWriter(locale)])) as Record<
  Locale,
  Writer
>;

/** Answers the functions of the server that the replies of calls use, for a reader of this language. */
export const writerOf = (locale: Locale): Writer => writers[locale];
