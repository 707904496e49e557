"use client";

import { CircleCheckIcon, ShieldAlertIcon, ShieldCheckIcon } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { startCheckAction } from "@/app/_panels/actions";
import { useAction } from "@/components/accounts/session/use-action";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { Spinner } from "@/components/ui/spinner";
import { dayStart, formatDate, formatDateTime } from "@/lib/domain/time";
import { hexGroups } from "@/lib/ledger/model/ledger-check";
import type { LedgerCheck } from "@/lib/ledger/names";

const REFRESH_MS = 1_000;

type CheckPanelProps = {
  check: LedgerCheck | null;
  base: string;
  merchantId: string | undefined;
};

/** Starts a check of the ledger and shows its progress and its verdict. */
export function CheckPanel({ check, base, merchantId }: CheckPanelProps) {
  const t = useTranslations("ledger");
  const router = useRouter();
  const [started, setStarted] = useState<LedgerCheck | null>(null);
  const { pending, run } = useAction();
  // A check that was just started is shown until the page's own data includes it.
  const shown = started && (!check || started.startedAt > check.startedAt) ? started : check;
  const running = shown?.state === "running";
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => router.refresh(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [running, router]);

  return (
    <Card>
      <CardHeader>
        <CardTitle>{running ? t("running") : t("head")}</CardTitle>
        <CardDescription>{t("explain")}</CardDescription>
      </CardHeader>
      <CardContent className="flex flex-col gap-4" aria-live="polite">
        {shown === null && <p className="text-muted-foreground text-sm">{t("never")}</p>}
        {running && (
          <div className="flex flex-col gap-1.5">
            <progress
              className="h-2 w-full overflow-hidden rounded-full accent-primary"
              value={shown.movements}
              max={Math.max(shown.total, 1)}
              aria-label={t("running")}
            />
            <p className="text-muted-foreground text-sm tabular-nums">
              {t("checked", { done: shown.movements, total: shown.total })}
            </p>
          </div>
        )}
        {shown?.state === "done" && <Verdict check={shown} base={base} />}
        <Button
          onClick={() => run(() => startCheckAction({ merchantId }), setStarted)}
          disabled={running || pending}
          className="self-start"
        >
          {running || pending ? <Spinner /> : <ShieldCheckIcon aria-hidden />}
          {t(shown ? "again" : "start")}
        </Button>
      </CardContent>
    </Card>
  );
}

function Verdict({ check, base }: { check: LedgerCheck; base: string }) {
  const t = useTranslations("ledger");
  const locale = useLocale();
  const { ok, firstWrong, head, sealedTo, finishedAt, movements } = check;
  const time = (at: Date) => formatDateTime(at, locale);
  return (
    <>
      {ok === null && <p className="text-sm">{t("unfinished")}</p>}
      {ok && (
        <Alert variant="success" icon={CircleCheckIcon} title={t("ok")}>
          {t("okText", { total: movements })}
        </Alert>
      )}
      {firstWrong && (
        <Alert variant="destructive" icon={ShieldAlertIcon} title={t("bad")}>
          <p>{t("badText", { reason: t(`reasons.${firstWrong.what}`) })}</p>
          {firstWrong.day && <p>{t("day", { day: formatDate(dayStart(firstWrong.day), locale) })}</p>}
          {firstWrong.version !== undefined && <p>{t("version", { version: firstWrong.version })}</p>}
          {firstWrong.movementId && (
            <Link className="underline" href={`${base}/transactions/${firstWrong.movementId}`}>
              {t("badTransaction")}
            </Link>
          )}
          {firstWrong.customerId && (
            <Link className="underline" href={`${base}/customers/${firstWrong.customerId}`}>
              {t("badCustomer")}
            </Link>
          )}
        </Alert>
      )}
      {/* The fingerprint is easy to compare, and reads left to right in both languages. */}
      {head && (
        <code dir="ltr" className="block break-words text-start font-mono text-sm tabular-nums">
          {hexGroups(head)}
        </code>
      )}
      <p className="text-muted-foreground text-sm">
        {finishedAt && t("finished", { time: time(finishedAt) })}
        {sealedTo && ` · ${t("sealedTo", { time: time(sealedTo) })}`}
      </p>
    </>
  );
}
