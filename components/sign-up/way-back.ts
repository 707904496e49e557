import type { PendingSignUp } from "@/components/card/stored-data";

// Only in this page's memory: the next person at a shared phone, who opens the link anew, must not find it.
let left: PendingSignUp | null = null;

/** Keeps the details for the form that opens next, on the way back to it. */
export function keepForForm(details: PendingSignUp): void {
  left = details;
}

/** The details that were kept for this merchant's form, once. */
export function takeForForm(merchantId: string): PendingSignUp | null {
  const details = left;
  left = null;
  return details?.iMerchantId === merchantId ? details : null;
}
