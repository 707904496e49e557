"use client";

import { type ComponentProps, useMemo } from "react";
import { redirectToLogin } from "@/components/accounts/session/session";
import { receiptApi } from "@/components/receipts/receipt-api";
import { ReceiptButton } from "@/components/receipts/receipt-button";

type Props = Omit<ComponentProps<typeof ReceiptButton>, "api" | "onSignedOut"> & {
  /** The session's handle. */
  handle: string;
  onSignedOut?: (ended: boolean) => void;
};

/** The button that prints a movement's receipt, by the same calls as the counter's. */
export function MovementReceipt({ handle, onSignedOut = redirectToLogin, ...props }: Props) {
  const api = useMemo(() => receiptApi(handle), [handle]);
  return <ReceiptButton {...props} api={api} onSignedOut={onSignedOut} />;
}
