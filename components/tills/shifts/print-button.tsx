"use client";

import { PrinterIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { Button } from "@/components/ui/button";

/** Prints the page by the browser's dialog. Paper cannot unfold anything, so it gets all that is folded. */
export function PrintButton() {
  const t = useTranslations("shifts");
  useEffect(() => {
    const unfold = () => {
      for (const fold of document.querySelectorAll("details")) fold.open = true;
    };
    window.addEventListener("beforeprint", unfold);
    return () => window.removeEventListener("beforeprint", unfold);
  }, []);
  return (
    <Button variant="outline" onClick={() => window.print()}>
      <PrinterIcon aria-hidden /> {t("print")}
    </Button>
  );
}
