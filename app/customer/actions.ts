"use server";

import { keepLocaleAction } from "@/app/_session/actions";
import { cardStatement } from "@/lib/cards/card";
import { proveHolder, sendCardCode, sendNewEmailCode } from "@/lib/cards/card-code";
import { setCardLocale } from "@/lib/cards/card-holder";
import { changeEmail } from "@/lib/cards/change-email";
import { eraseCustomer } from "@/lib/cards/erase-card";
import { freezeCard } from "@/lib/cards/freeze-card";
import { type Registration, sendCode, signUp } from "@/lib/cards/sign-up";
import { signUpFormSchema } from "@/lib/domain/card-holder";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";
import { isLocale, type Locale } from "@/lib/domain/roles";
import { action } from "@/lib/http/action";
import { clearedHolderCookie, holderCookie } from "@/lib/http/cookies";
import { runForBrowser } from "@/lib/http/page";
import { setCookie } from "@/lib/http/web-context";

/** Checks the whole sign-up form and mails the first code. */
export const startSignUpAction = action(
  Object.assign((...[ctx, input]: Parameters<typeof sendCode>) => sendCode(ctx, input), {
    permission: sendCode.permission,
    input: signUpFormSchema,
  }),
);

export const sendCodeAction = action(sendCode);

export const signUpAction = action(signUp, async (output: Registration) => {
  await setCookie(holderCookie(output.customerId, output.holderToken));
  return { customerId: output.customerId, isNewRegistration: output.isNewRegistration };
});

export const cardStatementAction = action(cardStatement);
export const sendCardCodeAction = action(sendCardCode);
export const sendNewEmailCodeAction = action(sendNewEmailCode);
export const changeEmailAction = action(changeEmail);

export const proveHolderAction = action(proveHolder, async (output) => {
  await setCookie(holderCookie(output.customerId, output.holderToken));
  return { proved: true as const };
});

export const eraseCustomerAction = action(eraseCustomer, async (output) => {
  await setCookie(clearedHolderCookie(output.customerId));
  return { erased: true as const };
});

/** Keeps the language of the page and, for the card holder, of what is mailed to them. */
export async function cardLocaleAction(customerId: string, locale: Locale): Promise<void> {
  await keepLocaleAction(locale);
  if (!isId(customerId) || !isLocale(locale)) return;
  try {
    await runForBrowser(setCardLocale, { customerId, locale });
  } catch (error) {
    // Anyone may read the card in their language; only its holder's choice is kept with it.
    if (!(error instanceof DomainError)) throw error;
  }
}

export const freezeCardAction = action(freezeCard);
