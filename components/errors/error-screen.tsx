"use client";

import {
  CheckIcon,
  ChevronDownIcon,
  CopyIcon,
  HouseIcon,
  LoaderCircleIcon,
  RotateCwIcon,
  TriangleAlertIcon,
} from "lucide-react";
import { useEffect, useState } from "react";
import { postSignOut } from "@/components/accounts/session/stored-session";
import { useCopy } from "@/components/data/copy-button";
import { Button } from "@/components/ui/button";
import type { Locale } from "@/lib/domain/roles";
import { claimAutoReload, countReload, ERROR_TEXTS } from "./reloads";

export type ScreenError = Error & { digest?: string };

/** The technical details of an error: only what the browser already knows. */
function technicalDetails(error: ScreenError): string {
  const lines = [
    `${error.name}: ${error.message}`,
    error.digest && `Digest: ${error.digest}`,
    `URL: ${window.location.href}`,
    `Time: ${new Date().toISOString()}`,
    error.stack,
  ];
  return lines.filter(Boolean).join("\n");
}

function withStorage<T>(run: (storage: Storage) => T, fallback: T): T {
  try {
    return run(window.localStorage);
  } catch {
    return fallback;
  }
}

function tryAgain() {
  if (withStorage((storage) => countReload(storage, Date.now()), true)) return window.location.reload();
  withStorage((storage) => storage.clear(), undefined);
  withStorage(() => window.sessionStorage.clear(), undefined);
  // With a live session login would lead back to this error.
  postSignOut();
}

/** The error screen: reloads once automatically, then offers to try again. It needs no provider. */
export function ErrorScreen({ error, locale }: { error: ScreenError; locale: Locale }) {
  const t = ERROR_TEXTS[locale];
  const [reloading, setReloading] = useState(true);
  const [details, setDetails] = useState("");
  const { copied, copy } = useCopy();

  useEffect(() => {
    setDetails(technicalDetails(error));
    const mayReload = withStorage(
      (storage) => claimAutoReload(storage, error.digest ?? error.message),
      false,
    );
    if (mayReload) window.location.reload();
    else setReloading(false);
  }, [error]);

  if (reloading) {
    return (
      <div className="flex min-h-[70dvh] items-center justify-center">
        <LoaderCircleIcon
          role="status"
          aria-label={t.reloading}
          className="size-8 animate-spin text-muted-foreground"
        />
      </div>
    );
  }
  return (
    <main
      data-theme="blue"
      className="mx-auto flex min-h-[80dvh] w-full max-w-lg flex-col items-center justify-center gap-5 px-4 py-10 text-center"
    >
      <span className="inline-flex size-16 items-center justify-center rounded-full bg-destructive-soft text-destructive-strong">
        <TriangleAlertIcon className="size-8" aria-hidden />
      </span>
      <div role="alert" className="grid gap-2">
        <h1 className="font-semibold text-2xl tracking-tight">{t.title}</h1>
        <p className="text-balance text-muted-foreground">{t.description}</p>
      </div>
      <div className="flex w-full flex-col justify-center gap-2 sm:flex-row">
        <Button size="lg" onClick={tryAgain}>
          <RotateCwIcon aria-hidden /> {t.tryAgain}
        </Button>
        <Button size="lg" variant="outline" onClick={() => window.location.assign("/")}>
          <HouseIcon aria-hidden /> {t.home}
        </Button>
      </div>
      <details className="group w-full rounded-lg border bg-card text-start">
        <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-2 rounded-lg px-4 font-medium text-sm [&::-webkit-details-marker]:hidden">
          {t.details}
          <ChevronDownIcon className="size-4 transition-transform group-open:rotate-180" aria-hidden />
        </summary>
        <div className="grid gap-3 border-t p-4">
          <pre
            dir="ltr"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            tabIndex={0}
            className="max-h-48 overflow-auto whitespace-pre-wrap break-words rounded-md bg-muted p-3 font-mono text-xs"
          >
            {details}
          </pre>
          <Button
            variant="outline"
            size="sm"
            className="w-fit"
            onClick={() => copy(details).catch(() => undefined)}
          >
            {copied ? <CheckIcon aria-hidden /> : <CopyIcon aria-hidden />}
            <span aria-live="polite">{copied ? t.copied : t.copy}</span>
          </Button>
        </div>
      </details>
    </main>
  );
}
