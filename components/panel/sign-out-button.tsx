"use client";

import { LogOutIcon } from "lucide-react";
import { unstable_rethrow } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { TOKEN_KEY } from "@/components/session/session";
import {
  AlertDialog,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
  AlertDialogTrigger,
} from "@/components/ui/alert-dialog";
import { Button, type ButtonProps } from "@/components/ui/button";
import { useNotify } from "@/components/ui/notify";
import { Spinner } from "@/components/ui/spinner";
import type { ActionResult } from "@/lib/domain/errors";

/** A server action that ends the session; it may answer a result, nothing, or redirect. */
// biome-ignore lint/suspicious/noConfusingVoidType: an action that redirects has no answer
export type SignOut = () => Promise<ActionResult<unknown> | void>;

/** Asks for confirmation, then ends the session, removes the stored handle and opens the login page. */
export function SignOutButton({ signOut, ...props }: ButtonProps & { signOut: SignOut }) {
  const t = useTranslations("shell");
  const errors = useTranslations("errors");
  const notify = useNotify();
  const [open, setOpen] = useState(false);
  const [pending, startTransition] = useTransition();

  async function leave() {
    try {
      const result = await signOut();
      const signedOut = !result || result.ok || ["session_ended", "unauthenticated"].includes(result.code);
      if (!signedOut) {
        setOpen(false);
        return notify.error(result.message || errors("internal"));
      }
      localStorage.removeItem(TOKEN_KEY);
      window.location.assign("/login");
    } catch (error) {
      if (String((error as { digest?: string }).digest).startsWith("NEXT_REDIRECT")) {
        localStorage.removeItem(TOKEN_KEY);
      }
      unstable_rethrow(error);
      setOpen(false);
      notify.error(errors("internal"));
    }
  }

  return (
    <AlertDialog open={open} onOpenChange={setOpen}>
      <AlertDialogTrigger asChild>
        <Button variant="ghost" {...props}>
          <LogOutIcon className="rtl:-scale-x-100" aria-hidden /> {t("signOut")}
        </Button>
      </AlertDialogTrigger>
      <AlertDialogContent>
        <AlertDialogHeader>
          <AlertDialogTitle>{t("signOut")}</AlertDialogTitle>
          <AlertDialogDescription>{t("signOutQuestion")}</AlertDialogDescription>
        </AlertDialogHeader>
        <AlertDialogFooter>
          <AlertDialogCancel>{t("cancel")}</AlertDialogCancel>
          <Button
            variant="destructive"
            aria-disabled={pending || undefined}
            onClick={() => startTransition(leave)}
          >
            {pending && <Spinner />}
            {t("signOut")}
          </Button>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
