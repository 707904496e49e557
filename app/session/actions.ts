"use server";

import type { Locale } from "@/lib/domain/roles";
import { forgotPasswordSchema, resetPasswordSchema } from "@/lib/domain/schemas/account";
import { action } from "@/lib/http/action";
import { keepLocale, webSignIn, webSignOut } from "@/lib/http/session-actions";
import { forgotPassword } from "@/lib/sessions/forgot-password";
import { resetPassword } from "@/lib/sessions/reset-password";

export async function signInAction(input: { email: string; password: string; from?: string }) {
  return webSignIn(input);
}

export async function signOutAction(): Promise<void> {
  await webSignOut();
}

export async function keepLocaleAction(locale: Locale): Promise<void> {
  await keepLocale(locale);
}

export const forgotPasswordAction = action(forgotPasswordSchema, forgotPassword);
export const resetPasswordAction = action(resetPasswordSchema, resetPassword);
