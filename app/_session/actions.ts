"use server";

import type { z } from "zod";
import { forgotPassword } from "@/lib/accounts/forgot-password";
import type { acceptInvitationSchema } from "@/lib/accounts/model/account";
import type { FactorRequest } from "@/lib/accounts/model/second-factor";
import { resetPassword } from "@/lib/accounts/set-password";
import { action } from "@/lib/api/action";
import {
  type SignInState,
  saveLocale,
  webAcceptInvitation,
  webPasskeyRequest,
  webSignIn,
} from "@/lib/api/session-actions";
import { markDevice } from "@/lib/api/web-context";
import type { ActionResult } from "@/lib/domain/errors";
import type { Locale } from "@/lib/domain/roles";

export async function signInAction(before: SignInState, form: FormData): Promise<SignInState> {
  return webSignIn(before, form);
}

export async function passkeyRequestAction(): Promise<ActionResult<FactorRequest>> {
  return webPasskeyRequest();
}

export async function saveLocaleAction(locale: Locale): Promise<void> {
  await saveLocale(locale);
}

export async function acceptInvitationAction(
  input: z.input<typeof acceptInvitationSchema>,
): Promise<ActionResult<{ next: string }>> {
  return webAcceptInvitation(input);
}

export const forgotPasswordAction = action(forgotPassword);
export const resetPasswordAction = action(resetPassword, async ({ userId }, ctx) => {
  await markDevice(ctx, { userId });
  return { reset: true as const };
});
