"use client";

import { PrinterIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ButtonProps } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/use-loaded";
import type { MovementType } from "@/lib/ledger/model/movements";
import { hasReceipt } from "@/lib/receipts/model/receipt";

const load = () => import("./receipt-dialog");

type Props = {
  movement: { id: string; type: MovementType };
  handle: string;
  iconOnly?: boolean;
} & Pick<ButtonProps, "variant" | "size" | "className">;

/** Prints the receipt of a movement. Renders nothing for a movement without one. Its dialog is loaded when it is wanted. */
export function MovementReceipt({ movement, handle, iconOnly, ...look }: Props) {
  const t = useTranslations("receipts");
  if (!hasReceipt(movement.type)) return null;
  return (
    <DialogButton
      load={load}
      dialog={({ ReceiptDialog }, button) => (
        <ReceiptDialog movementId={movement.id} session={handle} button={button} />
      )}
      variant={iconOnly ? "ghost" : "outline"}
      size={iconOnly ? "icon" : "md"}
      aria-label={iconOnly ? t("print") : undefined}
      {...look}
    >
      <PrinterIcon aria-hidden /> {iconOnly ? null : t("print")}
    </DialogButton>
  );
}
