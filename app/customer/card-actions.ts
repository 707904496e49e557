"use server";

import { headers } from "next/headers";
import { keepLocaleAction } from "@/app/session/actions";
import { setCardLocale } from "@/lib/customers/set-card-locale";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";
import { isLocale, type Locale } from "@/lib/domain/roles";
import { holderOf } from "@/lib/http/card-cookies";
import { publicPageContext } from "@/lib/http/page";

/** Keeps the language of the page and, for the card holder, of what is mailed to them. */
export async function cardLocaleAction(customerId: string, locale: Locale): Promise<void> {
  await keepLocaleAction(locale);
  if (!isId(customerId) || !isLocale(locale)) return;
  const holder = holderOf(await headers(), customerId);
  try {
    await setCardLocale(await publicPageContext(), { customerId, holder, locale });
  } catch (error) {
    // Anyone may read the card in their language; only its holder's choice is kept with it.
    if (!(error instanceof DomainError)) throw error;
  }
}
