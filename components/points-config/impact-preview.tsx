"use client";

import { CircleAlertIcon } from "lucide-react";
import { unstable_rethrow } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import { formatPoints, formatQar } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { type ConfigImpact, typedRateSchema } from "@/lib/points-config/model";
import type { ConfigActions } from "./rules-view";

const DEBOUNCE_MS = 300;

/** The effect of a changed rate on the outstanding points. Renders nothing while the rate is unchanged. */
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
  const typed = typedRateSchema.safeParse(useWatch({ name: "dirhamsPerPoint" }));
  const rate = typed.success && typed.data !== current ? typed.data : null;
  const [shown, setShown] = useState<{ rate: number; impact: ConfigImpact | null } | null>(null);
  useEffect(() => {
    if (rate === null) return;
    let latest = true;
    const timer = setTimeout(async () => {
      try {
        const result = await impact({ dirhamsPerPoint: rate, merchantId });
        // An older answer never replaces a newer one.
        if (latest) setShown({ rate, impact: result.ok ? result.data : null });
      } catch (error) {
        unstable_rethrow(error);
      }
    }, DEBOUNCE_MS);
    return () => {
      latest = false;
      clearTimeout(timer);
    };
  }, [rate, merchantId, impact]);
  // A refused rate has no preview: its field shows the reason.
  if (rate === null || (shown?.rate === rate && !shown.impact)) return null;
  const preview = shown?.rate === rate ? shown.impact : null;
  const items = [
    { label: t("impactBefore"), value: preview && formatQar(preview.before, locale) },
    { label: t("impactAfter"), value: preview && formatQar(preview.after, locale) },
    { label: t("impactPoints"), value: preview && formatPoints(preview.points, locale) },
  ];
  return (
    <section aria-live="polite" aria-label={t("impactTitle")} className="rounded-lg border bg-muted/40 p-4">
      <h3 className="mb-3 font-medium text-sm">{t("impactTitle")}</h3>
      <dl className="grid grid-cols-1 gap-3 sm:grid-cols-3">
        {items.map(({ label, value }) => (
          <div key={label}>
            <dt className="text-muted-foreground text-xs">{label}</dt>
            <dd className="font-semibold tabular-nums">
              <bdi>{value ?? t("impactBusy")}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {preview?.refused && (
        <p className="mt-3 flex items-start gap-2 text-destructive-strong text-sm">
          <CircleAlertIcon className="mt-0.5 size-4 shrink-0" aria-hidden /> {t("impactRefused")}
        </p>
      )}
    </section>
  );
}
