import { exactDay, exactTime } from "@/lib/domain/format";
import type { Locale } from "@/lib/domain/roles";

/** A day in Doha, as the card prints it. */
export function cardDay(locale: Locale, at: string | Date): string {
  return exactDay(new Date(at), locale);
}

/** A moment in Doha. */
export function cardMoment(locale: Locale, at: string | Date): string {
  return exactTime(new Date(at), locale);
}
