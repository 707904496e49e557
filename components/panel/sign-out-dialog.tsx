"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { afterTill, clearTab } from "@/components/accounts/session/stored-session";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";

/**
 * Asks for confirmation, then ends the session. A plain form, so that the login page is a full load; it removes the
 * stored handle, which signs the other tabs out. Open at first; `children` is its button.
 */
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
      <form
        method="post"
        action="/session/sign-out"
        onSubmit={(event) => {
          event.preventDefault();
          clearTab();
          setPending(true);
          const form = event.currentTarget;
          afterTill(() => form.submit(), { customers: true });
        }}
      >
        <Button
          type="submit"
          variant="destructive"
          className="w-full"
          disabled={offline}
          aria-disabled={pending || undefined}
        >
          {pending && <Spinner />}
          {t("signOut")}
        </Button>
      </form>
    </AlertDialog>
  );
}
