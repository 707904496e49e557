"use client";

import { CircleAlertIcon } from "lucide-react";
import { unstable_rethrow } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import type { z } from "zod";
import { configImpactAction, editConfigAction, withdrawOverrideAction } from "@/app/_panels/actions";
import { useSaid } from "@/components/accounts/session/use-action";
import { ConfirmButton } from "@/components/data/confirm-button";
import { GuardedSteps } from "@/components/data/guarded-steps";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { AmountField, QarField } from "@/components/forms/text-fields";
import { Button } from "@/components/ui/button";
import { Sheet, SheetContent } from "@/components/ui/sheet";
import { merchantName } from "@/lib/domain/localized-names";
import { cashValue, formatPoints, formatQar } from "@/lib/domain/money";
import { formatDateTime } from "@/lib/domain/time";
import {
  type ConfigImpact,
  type ConfigInForce,
  configEtag,
  configFormSchema,
  typedRateSchema,
} from "@/lib/points-config/model";
import { RulesCard } from "./rules-view";

const DEBOUNCE_MS = 300;

function ImpactPreview({ current, merchantId }: { current: number; merchantId: string | undefined }) {
  const t = useTranslations("config");
  const locale = useLocale();
  const typed = typedRateSchema.safeParse(useWatch({ name: "dirhamsPerPoint" }));
  const rate = typed.success && typed.data !== current ? typed.data : null;
  const [shown, setShown] = useState<{ rate: number; impact: ConfigImpact | null } | null>(null);
  useEffect(() => {
    if (rate === null) return;
    let latest = true;
    const timer = setTimeout(async () => {
      try {
        const result = await configImpactAction({ dirhamsPerPoint: rate, merchantId });
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
  }, [rate, merchantId]);
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

export function RulesForm({ config }: { config: ConfigInForce }) {
  const t = useTranslations("config");
  const locale = useLocale();
  const said = useSaid();
  const { merchant } = config;
  const guard = useRateGuard(config);
  return (
    <RulesCard
      config={config}
      text={
        merchant && !config.overridden
          ? t("overrideText", { merchant: merchantName(merchant, locale) })
          : t("since", { time: formatDateTime(config.since, locale) })
      }
    >
      <ActionForm
        // Another record remounts the form.
        key={`${merchant?.id ?? "platform"} ${configEtag(config)}`}
        schema={configFormSchema}
        action={(typed: z.input<typeof configFormSchema>) =>
          editConfigAction({ ...typed, dirhamsPerPoint: configFormSchema.parse(typed).dirhamsPerPoint })
        }
        confirm={({ dirhamsPerPoint }) => guard.confirm(dirhamsPerPoint)}
        defaultValues={{
          dirhamsPerPoint: cashValue(config.dirhamsPerPoint, 1),
          minTopUp: String(config.minTopUp),
          maxTopUp: String(config.maxTopUp),
          maxBalance: String(config.maxBalance),
          undoMinutes: String(config.undoMinutes),
          workerDailyCap: config.workerDailyCap === null ? "" : String(config.workerDailyCap),
          merchantId: merchant?.id,
          seen: configEtag(config),
        }}
        onSuccess={({ pending }, form) => {
          // A new pending change is shown above the form, so it needs no notification.
          said(pending && pending.id !== config.pending?.id ? null : t("saved"));
          // A pending change is not in force yet, so the form shows the current rules again.
          if (pending) form.reset();
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          <QarField name="dirhamsPerPoint" label={t("dirhamsPerPoint")} hint={t("dirhamsHint")} />
          <AmountField name="minTopUp" label={t("minTopUp")} hint={t("inPoints")} />
          <AmountField name="maxTopUp" label={t("maxTopUp")} hint={t("inPoints")} />
          <AmountField name="maxBalance" label={t("maxBalance")} hint={t("inPoints")} />
          <AmountField name="undoMinutes" label={t("undoMinutes")} hint={t("undoHint")} />
          <AmountField name="workerDailyCap" label={t("workerDailyCap")} hint={t("capHint")} />
        </div>
        <ImpactPreview current={config.dirhamsPerPoint} merchantId={merchant?.id} />
        <div className="flex flex-wrap items-center justify-end gap-2">
          {merchant && config.overridden && (
            <ConfirmButton
              label={t("withdraw")}
              title={t("withdrawTitle", { merchant: merchantName(merchant, locale) })}
              description={t("withdrawText")}
              run={() => withdrawOverrideAction({ merchantId: merchant.id })}
            />
          )}
          <SubmitButton>{t("save")}</SubmitButton>
        </div>
      </ActionForm>
      {guard.sheet}
    </RulesCard>
  );
}

/** A new value of a point that the user has not confirmed yet, in dirhams, and its effect on the balances. */
type Question = { after: number; impact: ConfigImpact; answer: (yes: boolean) => void };

/** The dirhams of an amount in QAR as cashValue answers it. */
const dirhamsOf = (qar: string) => BigInt(qar.replace(".", ""));

/** Asks in two steps for a new value of a point: what customers hold is worth something else from then on. */
function RateSheet({
  config: { dirhamsPerPoint: before, merchant },
  question: { after, impact, answer },
}: {
  config: ConfigInForce;
  question: Question;
}) {
  const t = useTranslations("config");
  const locale = useLocale();
  const rate = (dirhams: number) => formatQar(cashValue(dirhams, 1), locale);
  const change = cashValue(dirhamsOf(impact.after) - dirhamsOf(impact.before), 1);
  const facts = [
    { label: t("fields.dirhamsPerPoint"), before: rate(before), after: rate(after), strong: true },
    { label: t("appliesTo"), after: merchant ? merchantName(merchant, locale) : t("platform") },
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

/** Asks for a typed confirmation before another value of a point is sent; `sheet` is where it asks. */
function useRateGuard(config: ConfigInForce) {
  const [question, setQuestion] = useState<Question | null>(null);
  const confirm = async (typed: unknown): Promise<boolean> => {
    const parsed = typedRateSchema.safeParse(typed);
    // Do not ask about an invalid rate: the server refuses it, and the field shows the reason.
    if (!parsed.success || parsed.data === config.dirhamsPerPoint) return true;
    const after = parsed.data;
    const result = await configImpactAction({ dirhamsPerPoint: after, merchantId: config.merchant?.id });
    if (!result.ok || result.data.refused) return true;
    const answered = new Promise<boolean>((answer) => setQuestion({ after, impact: result.data, answer }));
    return answered.finally(() => setQuestion(null));
  };
  return { confirm, sheet: question && <RateSheet config={config} question={question} /> };
}
