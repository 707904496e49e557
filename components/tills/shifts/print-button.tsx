"use client";

import { PrinterIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";

/** Prints the page by the browser's dialog. */
export function PrintButton() {
  const t = useTranslations("shifts");
  return (
    <Button variant="outline" size="lg" onClick={() => window.print()}>
      <PrinterIcon aria-hidden /> {t("print")}
    </Button>
  );
}
