"use server";

import { forgotPassword } from "@/lib/accounts/forgot-password";
import { resetPassword } from "@/lib/accounts/set-password";
import type { ActionResult } from "@/lib/domain/errors";
import type { Locale } from "@/lib/domain/roles";
import type { FactorRequest } from "@/lib/domain/second-factor";
import { action } from "@/lib/http/action";
import { type SignInState, saveLocale, webPasskeyRequest, webSignIn } from "@/lib/http/session-actions";

export async function signInAction(before: SignInState, form: FormData): Promise<SignInState> {
  return webSignIn(before, form);
}

export async function passkeyRequestAction(): Promise<ActionResult<FactorRequest>> {
  return webPasskeyRequest();
}

export async function saveLocaleAction(locale: Locale): Promise<void> {
  await saveLocale(locale);
}

export const forgotPasswordAction = action(forgotPassword);
export const resetPasswordAction = action(resetPassword);
