"use server";

import { confirmMailbox } from "@/lib/accounts/prove-mailbox";
import { forgotPassword, resetPassword } from "@/lib/accounts/set-password";
import { askForPasskey } from "@/lib/accounts/sign-in";
import { action } from "@/lib/api/action";
import { saveLocale, webAcceptInvitation, webSignIn } from "@/lib/api/session-actions";
import { markDevice } from "@/lib/api/web-context";
import { reapply, signUpMerchant } from "@/lib/merchants/sign-up-merchant";

export const signInAction = webSignIn;
export const passkeyRequestAction = action(askForPasskey);
export const acceptInvitationAction = webAcceptInvitation;
export const saveLocaleAction = saveLocale;

export const confirmMailboxAction = action(confirmMailbox);
export const signUpMerchantAction = action(signUpMerchant);
export const forgotPasswordAction = action(forgotPassword);
export const resetPasswordAction = action(resetPassword, async ({ userId }, ctx) => {
  await markDevice(ctx, { userId });
  return { reset: true as const };
});

export const reapplyAction = action(reapply);
