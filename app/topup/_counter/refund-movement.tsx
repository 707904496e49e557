"use client";

import { ReceiptIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { RefundDialog } from "@/components/ledger/refund-dialog";
import { refundAction } from "./actions";

type Refundable = { id: string; customerName: string; left: number };

/** The Refund button of a transaction's page, which then opens the refund's page. */
export function RefundMovement({ movement, base }: { movement: Refundable; base: string }) {
  return <RefundDialog movement={movement} refund={refundAction} base={base} />;
}

/** The Refund button of a redemption in a worker's list. Renders nothing once all of it is refunded. */
export function RefundInList({ movement, onRefunded }: { movement: Refundable; onRefunded: () => void }) {
  const t = useTranslations("refund");
  if (movement.left === 0) return null;
  return (
    <RefundDialog
      movement={movement}
      refund={refundAction}
      onRefunded={onRefunded}
      trigger={{
        variant: "ghost",
        size: "icon-xl",
        "aria-label": t("refundNamed", { name: movement.customerName }),
        children: <ReceiptIcon className="size-5" aria-hidden />,
      }}
    />
  );
}
