"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { requestStepUpAction, stepUpAction, stepUpDueAction } from "@/app/_panels/actions";
import type { FactorRequest } from "@/lib/domain/errors";
import { redirectIfSignedOut } from "./session";
import { registerStepUp } from "./step-up";
import type { StepUpDialog, StepUpProof } from "./step-up-dialog";

/** Asks users to confirm who they are; with #confirm-NAME (lib/api/download.ts) before that download. */
export function StepUpHost() {
  const errors = useTranslations("errors");
  const [Dialog, setDialog] = useState<typeof StepUpDialog | null>(null);
  const [request, setRequest] = useState<FactorRequest | null>(null);
  const [problem, setProblem] = useState<string>();
  const waiting = useRef<((confirmed: boolean) => void) | null>(null);

  useEffect(() => {
    const ask = async () => {
      const [result, loaded] = await Promise.all([
        requestStepUpAction({}),
        import("./step-up-dialog").then(({ StepUpDialog: View }) => View),
      ]);
      if (!result.ok) {
        redirectIfSignedOut(result);
        return false;
      }
      setDialog(() => loaded);
      setProblem(undefined);
      setRequest(result.data);
      return new Promise<boolean>((resolve) => {
        waiting.current?.(false);
        waiting.current = resolve;
      });
    };
    const due = async () => {
      const result = await stepUpDueAction({});
      return result.ok && result.data.due;
    };
    const { hash, pathname, search } = window.location;
    const [, download] = /^#confirm-(\w+)$/.exec(hash) ?? [];
    if (download) {
      // Otherwise the page asks again when it is loaded again.
      window.history.replaceState(null, "", pathname + search);
      const open = (confirmed: boolean) => {
        if (confirmed) window.location.assign(`${pathname}/${download}${search}`);
      };
      // Without an answer the page stays, with its link.
      void ask().then(open, () => {});
    }
    return registerStepUp({ ask, due });
  }, []);

  const close = (confirmed: boolean) => {
    setRequest(null);
    waiting.current?.(confirmed);
    waiting.current = null;
  };
  const send = async (proof: StepUpProof) => {
    try {
      const result = await stepUpAction(proof);
      if (result.ok) return close(true);
      if (!redirectIfSignedOut(result)) setProblem(result.message);
    } catch {
      setProblem(errors("unavailable"));
    }
    // A passkey's challenge is good once. Without an answer this one may still be good.
    const next = proof.assertion ? await requestStepUpAction({}).catch(() => null) : null;
    if (next?.ok) setRequest(next.data);
  };
  if (!Dialog) return null;
  return (
    <Dialog
      request={request}
      problem={problem}
      onProblem={setProblem}
      send={send}
      onCancel={() => close(false)}
    />
  );
}
