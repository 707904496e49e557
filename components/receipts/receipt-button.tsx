"use client";

import { PrinterIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { ButtonProps } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/dialog-button";
import type { MovementType } from "@/lib/ledger/model/movements";
import { hasReceipt } from "@/lib/receipts/model/receipt";
import type { ReceiptApi } from "./types";

const load = () => import("./receipt-dialog");

type ReceiptButtonProps = {
  movement: { id: string; type: MovementType };
  api: ReceiptApi;
  onSignedOut: (ended: boolean) => void;
  /** Only the picture of a printer, with the words for screen readers. */
  iconOnly?: boolean;
} & Pick<ButtonProps, "variant" | "size" | "className">;

/** Prints the receipt of a movement. Renders nothing for a movement without one. Its dialog is loaded when it is wanted. */
export function ReceiptButton({ movement, api, onSignedOut, iconOnly, ...look }: ReceiptButtonProps) {
  const t = useTranslations("receipts");
  if (!hasReceipt(movement.type)) return null;
  const words: ReactNode = iconOnly ? null : t("print");
  return (
    <DialogButton
      load={load}
      dialog={({ ReceiptDialog }, button) => (
        <ReceiptDialog movementId={movement.id} api={api} onSignedOut={onSignedOut} button={button} />
      )}
      variant={iconOnly ? "ghost" : "outline"}
      size={iconOnly ? "icon" : "default"}
      aria-label={iconOnly ? t("print") : undefined}
      {...look}
    >
      <PrinterIcon aria-hidden /> {words}
    </DialogButton>
  );
}
