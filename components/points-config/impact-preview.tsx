"use client";

import { CircleAlertIcon } from "lucide-react";
import { unstable_rethrow } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import { formatPoints, formatQar, parsePoints } from "@/lib/domain/money";
import type { ConfigImpact } from "@/lib/domain/points-config";
import type { Locale } from "@/lib/domain/roles";
import type { ConfigActions } from "./rules-view";

const PAUSE_MS = 300;

/** What a new rate means for the points outstanding; nothing while the rate is the old one. */
export function ImpactPreview({
  current,
  merchantId,
  impact,
}: {
  current: number;
  merchantId: string | undefined;
  impact: ConfigActions["impact"];
}) {
  const t = useTranslations("config");
  const locale = useLocale() as Locale;
  const typed = parsePoints(useWatch({ name: "dirhamsPerPoint" }));
  const rate = typed.ok && typed.points !== current ? typed.points : null;
  const [shown, setShown] = useState<{ rate: number; impact: ConfigImpact | null } | null>(null);
  useEffect(() => {
    if (rate === null) return;
    let newest = true;
    const timer = setTimeout(async () => {
      try {
        const result = await impact({ dirhamsPerPoint: rate, merchantId });
        // An older answer never shows over a newer question.
        if (newest) setShown({ rate, impact: result.ok ? result.data : null });
      } catch (error) {
        unstable_rethrow(error);
      }
    }, PAUSE_MS);
    return () => {
      newest = false;
      clearTimeout(timer);
    };
  }, [rate, merchantId, impact]);
  // A rate that is refused outright means nothing: its field says why.
  if (rate === null || (shown?.rate === rate && !shown.impact)) return null;
  const known = shown?.rate === rate ? shown.impact : null;
  const items = [
    { label: t("impactPoints"), value: known && formatPoints(known.points, locale) },
    { label: t("impactBefore"), value: known && formatQar(known.before, locale) },
    { label: t("impactAfter"), value: known && formatQar(known.after, locale) },
  ];
  return (
    <section aria-live="polite" aria-label={t("impactTitle")} className="rounded-lg border bg-muted/40 p-4">
      <h3 className="mb-3 font-medium text-sm">{t("impactTitle")}</h3>
      <dl className="grid gap-3 sm:grid-cols-3">
        {items.map(({ label, value }) => (
          <div key={label}>
            <dt className="text-muted-foreground text-xs">{label}</dt>
            <dd className="font-semibold tabular-nums">
              <bdi>{value ?? t("impactBusy")}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {known?.refused && (
        <p className="mt-3 flex items-start gap-2 text-destructive-strong text-sm">
          <CircleAlertIcon className="mt-0.5 size-4 shrink-0" aria-hidden /> {t("impactRefused")}
        </p>
      )}
    </section>
  );
}
