"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { QrImage } from "@/components/data/qr-image";
import { DialogHeader, OpenedDialog } from "@/components/ui/dialog";

/** The QR code of the shop's sign-up page, for a customer at the till. It is open at first; `children` is its button. */
export function NewCustomer({ url, children }: { url: string; children: ReactNode }) {
  const t = useTranslations("counter.search");
  return (
    <OpenedDialog button={children} className="sm:max-w-sm">
      {() => (
        <>
          <DialogHeader title={t("newCustomer")} text={t("newCustomerText")} />
          <QrImage text={url} label={t("newCustomerCode")} className="mx-auto size-64 max-w-full border" />
        </>
      )}
    </OpenedDialog>
  );
}
