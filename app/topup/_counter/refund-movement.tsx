"use client";

import { RefundDialog } from "@/components/ledger/refund-dialog";
import { refundAction } from "./actions";

type Refundable = { id: string; customerName: string; left: number };

/** The Refund button of a transaction's page, which then opens the refund's page. */
export function RefundMovement({ movement, base }: { movement: Refundable; base: string }) {
  return <RefundDialog movement={movement} refund={refundAction} base={base} />;
}
