"use client";

import { LogOutIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ButtonProps } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/use-loaded";

const load = () => import("./sign-out-dialog");

/** Ends the session after a confirmation. */
export function SignOutButton(props: ButtonProps) {
  const t = useTranslations("shell");
  return (
    <DialogButton
      load={load}
      dialog={({ SignOutDialog }, button) => <SignOutDialog>{button}</SignOutDialog>}
      variant="ghost"
      {...props}
    >
      <LogOutIcon className="rtl:-scale-x-100" aria-hidden /> <span>{t("signOut")}</span>
    </DialogButton>
  );
}
