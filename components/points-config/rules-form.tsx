"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import type { z } from "zod";
import { ConfirmButton } from "@/components/data/confirm-button";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { QarField } from "@/components/forms/qar-field";
import { AmountField } from "@/components/forms/text-fields";
import { Badge } from "@/components/ui/badge";
import { Card, CardAction, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { useNotify } from "@/components/ui/notify";
import { merchantName } from "@/lib/domain/merchant-name";
import { cashValue } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { formatDateTime } from "@/lib/domain/time";
import { type ConfigInForce, configEtag, configFormSchema } from "@/lib/points-config/model";
import { ImpactPreview } from "./impact-preview";
import type { ConfigActions } from "./rules-view";
import { useRateGuard } from "./use-rate-guard";

/** Edits the rules of the platform or of one merchant. */
export function RulesForm({ config, actions }: { config: ConfigInForce; actions: ConfigActions }) {
  const t = useTranslations("config");
  const locale = useLocale() as Locale;
  const notify = useNotify();
  const router = useRouter();
  const { merchant } = config;
  const guard = useRateGuard(config, actions.impact);
  return (
    <Card>
      <CardHeader>
        <CardTitle>
          {merchant ? t("rulesOf", { merchant: merchantName(merchant, locale) }) : t("rulesPlatform")}
        </CardTitle>
        <CardDescription className="col-span-full">
          {merchant && !config.overridden
            ? t("overrideText", { merchant: merchantName(merchant, locale) })
            : t("since", { time: formatDateTime(config.since, locale) })}
        </CardDescription>
        {merchant && (
          <CardAction className="row-span-1">
            <Badge variant={config.overridden ? "soft" : "secondary"}>
              {t(config.overridden ? "overridden" : "fromPlatform")}
            </Badge>
          </CardAction>
        )}
      </CardHeader>
      <CardContent>
        <ActionForm
          // Another record remounts the form.
          key={`${merchant?.id ?? "platform"} ${configEtag(config)}`}
          schema={configFormSchema}
          action={(typed: z.input<typeof configFormSchema>) =>
            actions.edit({ ...typed, dirhamsPerPoint: configFormSchema.parse(typed).dirhamsPerPoint })
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
            if (!pending || pending.id === config.pending?.id) notify.success(t("saved"));
            // A pending change is not in force yet, so the form shows the current rules again.
            if (pending) form.reset();
            router.refresh();
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
          <ImpactPreview current={config.dirhamsPerPoint} merchantId={merchant?.id} impact={actions.impact} />
          <div className="flex flex-wrap items-center justify-end gap-2">
            {merchant && config.overridden && (
              <ConfirmButton
                variant="outline"
                title={t("withdrawTitle", { merchant: merchantName(merchant, locale) })}
                description={t("withdrawText")}
                confirmLabel={t("withdraw")}
                run={() => actions.withdraw({ merchantId: merchant.id })}
                onDone={() => router.refresh()}
              >
                {t("withdraw")}
              </ConfirmButton>
            )}
            <SubmitButton>{t("save")}</SubmitButton>
          </div>
        </ActionForm>
        {guard.sheet}
      </CardContent>
    </Card>
  );
}
