"use client";

import { PrinterIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/ui/dialog-button";

const load = () => import("./poster-dialog");

/** Opens what can be printed with the sign-up code. `href` is where the PDF is. */
export function PosterButton({ href }: { href: string }) {
  const t = useTranslations("merchants.link");
  return (
    <DialogButton
      load={load}
      dialog={({ PosterDialog }, button) => <PosterDialog href={href} button={button} />}
      variant="outline"
      className="flex-1 px-3"
    >
      <PrinterIcon aria-hidden /> {t("poster")}
    </DialogButton>
  );
}
