import { createTranslator } from "next-intl";
import type { DomainError } from "@/lib/domain/errors";
import { cashValue, formatPoints, formatQar } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { TIME_ZONE } from "@/lib/domain/time";
import ar from "@/messages/ar.json";
import en from "@/messages/en.json";

declare module "next-intl" {
  interface AppConfig {
    Locale: Locale;
  }
}

export type Messages = typeof en;
export const CATALOGUES: Record<Locale, Messages> = { en, ar: ar as Messages };

/** The digits of Arabic are pinned. */
const TAGS: Record<Locale, string> = { en: "en", ar: "ar-u-nu-latn" };

const make = (locale: Locale) =>
  createTranslator({ locale: TAGS[locale] as Locale, messages: CATALOGUES[locale], timeZone: TIME_ZONE });
const made: Partial<Record<Locale, ReturnType<typeof make>>> = {};

/** The translator for code outside a request: e-mails, PDFs, passes, jobs. It parses each message once per process. */
export function translator(locale: Locale): ReturnType<typeof make> {
  made[locale] ??= make(locale);
  return made[locale];
}

// Longer waits are shown in minutes.
const MAX_WAIT_IN_SECONDS = 120;

/** The message of an error in the reader's language, with the tries left where it knows them. */
export function errorText(locale: Locale, { code, params }: Pick<DomainError, "code" | "params">): string {
  const t = translator(locale);
  const seconds = Number(params.seconds ?? 0);
  // Rounded up; with 0 the text shows the seconds.
  const minutes = seconds > MAX_WAIT_IN_SECONDS ? Math.ceil(seconds / 60) : 0;
  const text = t(`errors.${code}`, { ...params, minutes });
  if (params.triesLeft === undefined) return text;
  const left = t("customerVerify.triesLeft", { left: Number(params.triesLeft) });
  return `${text.replace(/\.$/, "")}. ${left}`;
}

type Named = { customer: { fullName: string }; customerErased?: boolean };

/** The name of a movement's customer as people read it: a general label where the card was deleted. */
export function customerNameOf({ customer, customerErased }: Named, locale: Locale): string {
  return customerErased ? translator(locale)("customers.erasedName") : customer.fullName;
}

type Reasoned = { type: string; actor: { type: string }; reason: string | null };

/** The reason of a movement as people read it: that of a balance given up is the program's, in the reader's language. */
export function reasonOf({ type, actor, reason }: Reasoned, locale: Locale): string | null {
  const isGivenUp = type === "ADJUSTMENT" && actor.type === "cardHolder";
  return isGivenUp ? translator(locale)("movements.givenUp") : reason;
}

/** An amount as receipts say it, mailed or printed: the value at this rate (dirhams a point), and the points. */
export function worthOf(locale: Locale, points: number, rate: number): [value: string, points: string] {
  return [formatQar(cashValue(points, rate), locale), formatPoints(points, locale)];
}

/** The paid and the bonus part of an amount in QAR, as receipts say it; null without bonus. */
export function pocketWords(
  locale: Locale,
  { paid, bonus, rate }: { paid: number; bonus: number; rate: number },
): string | null {
  if (bonus === 0) return null;
  return translator(locale)("email.receipt.pockets", {
    paid: worthOf(locale, Math.abs(paid), rate)[0],
    bonus: worthOf(locale, Math.abs(bonus), rate)[0],
  });
}
