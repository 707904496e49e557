"use client";

import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { z } from "zod";
import { changeSettingsAction } from "@/app/_panels/actions";
import { useSaid } from "@/components/accounts/session/use-action";
import { TitledCard } from "@/components/data/titled-card";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { CheckboxesField, CheckboxField } from "@/components/forms/checkbox-field";
import { SelectField } from "@/components/forms/choice-fields";
import { AmountField, QarField } from "@/components/forms/text-fields";
import { cashValue, formatPoints } from "@/lib/domain/money";
import { formatDateTime } from "@/lib/domain/time";
import { TENDERS } from "@/lib/ledger/model/tender";
import { type SettingsView, SPEND_ORDERS, settingsFormSchema } from "@/lib/merchants/model/merchant-settings";
import { PAPER_WIDTHS } from "@/lib/receipts/model/receipt";

type Props = {
  merchantId: string;
  settings: SettingsView;
  refundsLink: ReactNode;
};

/** Edits the settings of a merchant, for its owner and for a super_admin. */
export function SettingsForm({ merchantId, settings, refundsLink }: Props) {
  const t = useTranslations("settings");
  const config = useTranslations("config");
  const locale = useLocale();
  const said = useSaid();
  return (
    <ActionForm
      schema={settingsFormSchema}
      action={(typed: z.input<typeof settingsFormSchema>) =>
        changeSettingsAction({ ...typed, drawerTolerance: settingsFormSchema.parse(typed).drawerTolerance })
      }
      defaultValues={{
        id: merchantId,
        redeemAllowance: String(settings.redeemAllowance),
        unprovedWorkerDaily: String(settings.unprovedWorkerDaily),
        spendOrder: settings.spendOrder,
        refundDays: String(settings.refundDays),
        tenders: settings.tenders,
        askSaleRef: settings.askSaleRef,
        tillRequired: settings.tillRequired,
        idleLockMinutes: String(settings.idleLockMinutes),
        offlineMaxTopUp: String(settings.offlineMaxTopUp),
        offlineMaxTotal: String(settings.offlineMaxTotal),
        drawerTolerance: cashValue(settings.drawerTolerance, 1),
        paperWidth: String(settings.paperWidth),
      }}
      onSuccess={(saved) => {
        const before = [settings.pending?.id, settings.pendingWorker?.id];
        const pending = [saved.pending, saved.pendingWorker].find((one) => one && !before.includes(one.id));
        said(
          pending ? config("savedWaits", { time: formatDateTime(pending.effectiveAt, locale) }) : t("saved"),
        );
      }}
      className="gap-5"
    >
      {(form) => (
        <>
          <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
            <LimitFields settings={settings} />
            <CounterFields refundsLink={refundsLink} />
          </div>
          <div className="sticky bottom-[calc(var(--bar,0.75rem)-0.75rem)] z-10 -mx-4 -mb-5 flex items-center gap-4 border-t bg-background/95 px-4 py-3 backdrop-blur-md md:-mx-6 md:-mb-6 md:px-6">
            <SubmitButton className="max-sm:flex-1">{t("save")}</SubmitButton>
            {form.formState.isDirty && (
              <p role="status" className="text-muted-foreground text-sm">
                {t("unsaved")}
              </p>
            )}
          </div>
        </>
      )}
    </ActionForm>
  );
}

function LimitFields({ settings }: Pick<Props, "settings">) {
  const t = useTranslations("settings");
  const locale = useLocale();
  const { redeemAllowance, redeemAllowanceCeiling: ceiling } = settings;
  return (
    <div className="grid grid-cols-1 gap-5">
      <TitledCard
        title={t("redemptions.title")}
        text={t("redemptions.text")}
        contentClass="flex flex-col gap-5"
      >
        <AmountField
          name="redeemAllowance"
          label={t("redemptions.allowance")}
          hint={
            <>
              {t("redemptions.allowanceHint", { max: formatPoints(ceiling, locale) })}
              {redeemAllowance > ceiling && ` ${t("redemptions.allowanceAbove")}`}
            </>
          }
        />
        <AmountField
          name="unprovedWorkerDaily"
          label={t("redemptions.worker")}
          hint={t("redemptions.workerHint")}
        />
        <SelectField
          name="spendOrder"
          label={t("redemptions.order")}
          hint={t("redemptions.orderHint")}
          options={SPEND_ORDERS.map((value) => ({ value, label: t(`redemptions.orders.${value}`) }))}
        />
      </TitledCard>
      <TitledCard title={t("offline.title")} text={t("offline.text")} contentClass="flex flex-col gap-5">
        <AmountField name="offlineMaxTopUp" label={t("offline.topUp")} hint={t("offline.topUpHint")} />
        <AmountField name="offlineMaxTotal" label={t("offline.total")} hint={t("offline.totalHint")} />
      </TitledCard>
    </div>
  );
}

function CounterFields({ refundsLink }: Pick<Props, "refundsLink">) {
  const t = useTranslations("settings");
  const tenders = useTranslations("movements.tenders");
  return (
    <div className="grid grid-cols-1 gap-5">
      <TitledCard title={t("topUps.title")} text={t("topUps.text")} contentClass="flex flex-col gap-5">
        <CheckboxesField
          name="tenders"
          label={t("topUps.tenders")}
          hint={t("topUps.tendersHint")}
          options={TENDERS.map((value) => ({ value, label: tenders(value) }))}
        />
        <CheckboxField name="askSaleRef" label={t("topUps.saleRef")} hint={t("topUps.saleRefHint")} />
      </TitledCard>
      <TitledCard title={t("refunds.title")} text={t("refunds.text")} contentClass="flex flex-col gap-5">
        <AmountField name="refundDays" label={t("refunds.days")} hint={t("refunds.daysHint")} />
        {refundsLink}
      </TitledCard>
      <TitledCard title={t("tills.title")} text={t("tills.text")} contentClass="flex flex-col gap-5">
        <CheckboxField name="tillRequired" label={t("tills.required")} hint={t("tills.requiredHint")} />
        <AmountField name="idleLockMinutes" label={t("tills.idle")} hint={t("tills.idleHint")} />
        <QarField name="drawerTolerance" label={t("tills.tolerance")} hint={t("tills.toleranceHint")} />
        <SelectField
          name="paperWidth"
          label={t("tills.paper")}
          hint={t("tills.paperHint")}
          options={PAPER_WIDTHS.map((width) => ({
            value: String(width),
            label: t(`tills.papers.${width}`),
          }))}
        />
      </TitledCard>
    </div>
  );
}
