"use client";

import { PrinterIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ComponentProps, type ReactNode, useMemo } from "react";
import { redirectToLogin } from "@/components/accounts/session/session";
import type { ButtonProps } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/dialog-button";
import { api } from "@/lib/api/client";
import type { MovementType } from "@/lib/ledger/model/movements";
import { hasReceipt } from "@/lib/receipts/model/receipt";
import type { ReceiptApi } from "./use-receipt";

const load = () => import("./receipt-dialog");
const calls = async () => (await import("@/lib/receipts/names")).receiptCalls;

type ReceiptButtonProps = {
  movement: { id: string; type: MovementType };
  api: ReceiptApi;
  onSignedOut: (ended: boolean) => void;
  /** Only the picture of a printer, with the words for screen readers. */
  iconOnly?: boolean;
} & Pick<ButtonProps, "variant" | "size" | "className">;

/** Prints the receipt of a movement. Renders nothing for a movement without one. Its dialog is loaded when it is wanted. */
function ReceiptButton({ movement, api, onSignedOut, iconOnly, ...look }: ReceiptButtonProps) {
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

/** The API calls of receipts, for the session with this handle. */
function receiptApi(session: string): ReceiptApi {
  return {
    view: (movementId) =>
      api(
        calls().then(({ viewReceipt }) => viewReceipt),
        { movementId },
        { session },
      ),
    print: (movementId, idempotencyKey) =>
      api(
        calls().then(({ printReceipt }) => printReceipt),
        { movementId, idempotencyKey },
        { session },
      ),
  };
}
