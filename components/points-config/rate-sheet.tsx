"use client";

import { useLocale, useTranslations } from "next-intl";
import { GuardedSteps } from "@/components/data/guarded-steps";
import { Button } from "@/components/ui/button";
import { Sheet, SheetContent } from "@/components/ui/sheet";
import { cashValue, formatPoints, formatQar } from "@/lib/domain/money";
import type { ConfigImpact } from "@/lib/points-config/model";

/** A new value of a point that the user has not confirmed yet, in dirhams, with what it does to the balances. */
export type AskedRate = { before: number; after: number; impact: ConfigImpact };

/** Asks in two steps for a new value of a point: what customers hold is worth something else from then on. */
export function RateSheet({
  asked: { before, after, impact },
  merchant,
  answer,
}: {
  asked: AskedRate;
  /** The merchant's name, or null for all that use the platform's rules. */
  merchant: string | null;
  answer: (yes: boolean) => void;
}) {
  const t = useTranslations("config");
  const locale = useLocale();
  const rate = (dirhams: number) => formatQar(cashValue(dirhams, 1), locale);
  const change = cashValue(dirhamsOf(impact.after) - dirhamsOf(impact.before), 1);
  const facts = [
    { label: t("fields.dirhamsPerPoint"), before: rate(before), after: rate(after), strong: true },
    { label: t("appliesTo"), after: merchant ?? t("platform") },
    { label: t("guard.held"), after: formatPoints(impact.points, locale) },
    {
      label: t("guard.worth"),
      before: formatQar(impact.before, locale),
      after: formatQar(impact.after, locale),
    },
    { label: t("impactPoints"), after: formatQar(change, locale, true), strong: true },
  ];
  return (
    <Sheet defaultOpen onOpenChange={(open) => !open && answer(false)}>
      <SheetContent side="end">
        <GuardedSteps
          title={t("guard.title")}
          description={t("guard.text")}
          facts={facts}
          expected={cashValue(after, 1)}
          submit={(ready) => (
            <Button variant="destructive" disabled={!ready} onClick={() => answer(true)}>
              {t("guard.confirm")}
            </Button>
          )}
        />
      </SheetContent>
    </Sheet>
  );
}

/** The dirhams of an amount in QAR as cashValue answers it. */
const dirhamsOf = (qar: string) => BigInt(qar.replace(".", ""));
