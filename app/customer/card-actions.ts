"use server";

import { headers } from "next/headers";
import { keepLocaleAction } from "@/app/session/actions";
import { proveHolder, sendCardCode, sendNewEmailCode } from "@/lib/customers/card-code";
import { cardStatement } from "@/lib/customers/card-statement";
import { changeEmail } from "@/lib/customers/change-email";
import { eraseCustomer } from "@/lib/customers/erase-customer";
import { setCardLocale } from "@/lib/customers/set-card-locale";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";
import { isLocale, type Locale } from "@/lib/domain/roles";
import {
  cardCodeSchema,
  cardStatementSchema,
  changeEmailSchema,
  eraseCustomerSchema,
  newEmailSchema,
  proveHolderSchema,
} from "@/lib/domain/schemas/customer";
import { action } from "@/lib/http/action";
import { holderCookie, holderGone, holderOf } from "@/lib/http/card-cookies";
import { publicPageContext } from "@/lib/http/page";
import { keepCookie } from "@/lib/http/web-cookies";

/** An operation that reads the card-holder secret from this request's cookie, whatever the browser's script sent. */
function held<C, I extends { customerId: string }, O>(run: {
  (ctx: C, input: I & { holder?: string }): Promise<O>;
  permission: "public";
}) {
  const withCookie = async (ctx: C, input: I): Promise<O> =>
    run(ctx, { ...input, holder: holderOf(await headers(), input.customerId) });
  return Object.assign(withCookie, { permission: run.permission });
}

export const cardStatementAction = action(cardStatementSchema, held(cardStatement));
export const sendCardCodeAction = action(cardCodeSchema, held(sendCardCode));
export const sendNewEmailCodeAction = action(newEmailSchema, held(sendNewEmailCode));
export const changeEmailAction = action(changeEmailSchema, held(changeEmail));

export const proveHolderAction = action(proveHolderSchema, proveHolder, async (output) => {
  await keepCookie(holderCookie(output.customerId, output.holderToken));
  return { proved: true as const };
});

export const eraseCustomerAction = action(eraseCustomerSchema, held(eraseCustomer), async (output) => {
  await keepCookie(holderGone(output.customerId));
  return { erased: true as const };
});

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
