"use server";

import { forgotPassword, resetPassword } from "@/lib/accounts/set-password";
import type { Locale } from "@/lib/domain/roles";
import { action } from "@/lib/http/action";
import { type SignInState, saveLocale, webSignIn } from "@/lib/http/session-actions";

export async function signInAction(before: SignInState, form: FormData): Promise<SignInState> {
  return webSignIn(before, form);
}

export async function saveLocaleAction(locale: Locale): Promise<void> {
  await saveLocale(locale);
}

export const forgotPasswordAction = action(forgotPassword);
export const resetPasswordAction = action(resetPassword);
