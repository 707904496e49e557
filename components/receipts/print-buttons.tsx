"use client";

import { CheckIcon, PrinterIcon, SettingsIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import type { ReceiptState } from "./use-receipt";

/** How a receipt is printed: on the printer of this device where there is one, and always with the browser. */
export function PrintButtons({
  state: { printer, busy, sent, canSetUp, print },
  onSetUp,
  onDone,
}: {
  state: ReceiptState;
  onSetUp: () => void;
  onDone: () => void;
}) {
  const t = useTranslations("receipts");
  const icon = busy ? <Spinner /> : <PrinterIcon aria-hidden />;
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="flex items-center gap-1.5 text-sm text-success-strong empty:hidden">
        {sent && (
          <>
            <CheckIcon className="size-4" aria-hidden /> {t("sent")}
          </>
        )}
      </p>
      {printer && (
        <Button size="xl" disabled={busy} onClick={() => print("printer")}>
          {icon}
          <span className="truncate">{t("byPrinter", { name: printer.name ?? t("printer.unnamed") })}</span>
        </Button>
      )}
      <Button
        size="xl"
        variant={printer ? "outline" : "default"}
        disabled={busy}
        onClick={() => print("browser")}
      >
        {printer ? null : icon}
        {t(printer ? "otherWay" : "byBrowser")}
      </Button>
      <div className="flex gap-2">
        {canSetUp && (
          <Button variant="ghost" className="flex-1" disabled={busy} onClick={onSetUp}>
            <SettingsIcon aria-hidden /> {t("printer.open")}
          </Button>
        )}
        <Button variant="ghost" className="flex-1" onClick={onDone}>
          {t("done")}
        </Button>
      </div>
    </div>
  );
}
