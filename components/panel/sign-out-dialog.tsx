"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { afterTill, clearTab, postSignOut } from "@/components/accounts/session/stored-session";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";

/** Asks for confirmation, then ends the session. Open at first; `children` is its button. */
export function SignOutDialog({ children }: { children: ReactNode }) {
  const t = useTranslations("shell");
  const [pending, setPending] = useState(false);
  // Without a connection a till would be left without its counter.
  const offline = !navigator.onLine;
  return (
    <AlertDialog
      defaultOpen
      trigger={children}
      title={t("signOut")}
      description={t(offline ? "signOutOffline" : "signOutQuestion")}
    >
      <Button
        variant="destructive"
        disabled={offline}
        aria-disabled={pending || undefined}
        onClick={() => {
          clearTab();
          setPending(true);
          afterTill(postSignOut, { customers: true });
        }}
      >
        {pending && <Spinner />}
        {t("signOut")}
      </Button>
    </AlertDialog>
  );
}
