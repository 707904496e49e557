"use client";

import { unstable_rethrow, useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { useNotify } from "@/components/ui/notify";
import type { ActionResult, Refusal } from "@/lib/domain/errors";
import { redirectIfSignedOut } from "./session";
import { withStepUp } from "./step-up";

/** Runs server actions. `refused` answers true if it showed the refusal; any other becomes a notification. */
export function useAction() {
  const errors = useTranslations("errors");
  const notify = useNotify();
  const [pending, startTransition] = useTransition();
  const run = <R>(
    call: () => Promise<ActionResult<R>>,
    done?: (data: R) => void | Promise<void>,
    refused?: (refusal: Refusal) => boolean,
  ) =>
    startTransition(async () => {
      try {
        const result = await withStepUp(call);
        if (result.ok) await done?.(result.data);
        else if (!refused?.(result) && !redirectIfSignedOut(result)) notify.error(result.message);
      } catch (error) {
        unstable_rethrow(error);
        // Thrown on, a server that cannot be reached would show the error page.
        notify.error(errors(error instanceof Error && "digest" in error ? "internal" : "unavailable"));
      }
    });
  return { pending, run };
}

/** Says what was done, if there is a text, and reads the page again. */
export function useSaid(): (text: string | null) => void {
  const notify = useNotify();
  const router = useRouter();
  return (text) => {
    if (text) notify.success(text);
    router.refresh();
  };
}
