"use server";

import { saveLocaleAction } from "@/app/_session/actions";
import { action } from "@/lib/api/action";
import { runForBrowser } from "@/lib/api/page";
import { markDevice, setCookie } from "@/lib/api/web-context";
import { cardStatement } from "@/lib/cards/card";
import { proveHolder, sendCardCode, sendNewEmailCode } from "@/lib/cards/card-code";
import { endDevice, setCardLocale } from "@/lib/cards/card-holder";
import { cancelEmailChange, changeEmail, stopChangeByLink } from "@/lib/cards/change-email";
import { eraseCustomer } from "@/lib/cards/erase-card";
import { askUnfreeze, freezeCard, freezeOwnCard } from "@/lib/cards/freeze-card";
import { mailCards, openCard } from "@/lib/cards/mail-cards";
import { type Registration, sendCode, signUp, startSignUp } from "@/lib/cards/sign-up";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";
import { isLocale, type Locale } from "@/lib/domain/roles";
import { holderCookie } from "@/lib/secrets/cookies";

/** Validates the whole sign-up form and e-mails the first code. */
export const startSignUpAction = action(startSignUp);

export const sendCodeAction = action(sendCode);

export const signUpAction = action(signUp, async (output: Registration, ctx) => {
  await setCookie(holderCookie(output.customerId, output.holderToken));
  await markDevice(ctx, { email: output.email });
  return { customerId: output.customerId, isNewRegistration: output.isNewRegistration };
});

export const cardStatementAction = action(cardStatement);
export const sendCardCodeAction = action(sendCardCode);
export const sendNewEmailCodeAction = action(sendNewEmailCode);
export const changeEmailAction = action(changeEmail);
export const cancelEmailChangeAction = action(cancelEmailChange);
export const stopEmailChangeAction = action(stopChangeByLink);
export const endDeviceAction = action(endDevice);

export const proveHolderAction = action(proveHolder, async (output, ctx) => {
  await setCookie(holderCookie(output.customerId, output.holderToken));
  await markDevice(ctx, { email: output.email });
  return { proved: true as const };
});

export const eraseCustomerAction = action(eraseCustomer, async (output) => {
  await setCookie(holderCookie(output.customerId, null));
  return { erased: true as const };
});

/** Saves the language of the page and, for the card holder, of their e-mails. */
export async function cardLocaleAction(customerId: string, locale: Locale): Promise<void> {
  await saveLocaleAction(locale);
  if (!isId(customerId) || !isLocale(locale)) return;
  try {
    await runForBrowser(setCardLocale, { customerId, locale });
  } catch (error) {
    // Anyone can choose the language of the page; only the holder's choice is stored with the card.
    if (!(error instanceof DomainError)) throw error;
  }
}

export const freezeCardAction = action(freezeCard);
export const freezeOwnCardAction = action(freezeOwnCard);
export const askUnfreezeAction = action(askUnfreeze);
export const mailCardsAction = action(mailCards);

export const openCardAction = action(openCard, async (output, ctx) => {
  await setCookie(holderCookie(output.customerId, output.holderToken));
  await markDevice(ctx, { email: output.email });
  return { customerId: output.customerId };
});
