"use server";

import type { Locale } from "@/lib/domain/roles";
import { forgotPasswordSchema, resetPasswordSchema } from "@/lib/domain/schemas/account";
import { action } from "@/lib/http/action";
import { keepLocale, type SignInState, webSignIn, webSignOut } from "@/lib/http/session-actions";
import { forgotPassword } from "@/lib/sessions/forgot-password";
import { resetPassword } from "@/lib/sessions/reset-password";

export async function signInAction(before: SignInState, form: FormData): Promise<SignInState> {
  return webSignIn(before, form);
}

export async function signOutAction(): Promise<void> {
  await webSignOut();
}

export async function keepLocaleAction(locale: Locale): Promise<void> {
  await keepLocale(locale);
}

export const forgotPasswordAction = action(forgotPasswordSchema, forgotPassword);
export const resetPasswordAction = action(resetPasswordSchema, resetPassword);
