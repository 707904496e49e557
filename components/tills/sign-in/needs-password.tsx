"use client";

import { KeyRoundIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty";
import { toPassword } from "./ask-who";

/** Shown to a PIN session instead of a page that needs a password. */
export function NeedsPassword() {
  const t = useTranslations("atTill");
  return (
    <EmptyState
      icon={KeyRoundIcon}
      title={t("needsPassword")}
      description={t("needsPasswordText")}
      action={
        <Button size="lg" onClick={toPassword}>
          {t("password")}
        </Button>
      }
    />
  );
}
