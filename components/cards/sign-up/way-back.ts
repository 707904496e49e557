import type { PendingSignUp } from "../stored-data";

// The details are only in this page's memory. On a shared phone, the next person opens the link again and
// must not find them.
let left: PendingSignUp | null = null;

/** Keeps the details for the user's way back to the form, which opens next. */
export function keepForForm(details: PendingSignUp): void {
  left = details;
}

/** Answers the details that were kept for this merchant's form, and removes them. */
export function takeForForm(merchantId: string): PendingSignUp | null {
  const details = left;
  left = null;
  return details?.iMerchantId === merchantId ? details : null;
}
