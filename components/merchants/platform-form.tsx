"use client";

import { useLocale, useTranslations } from "next-intl";
import { changePlatformAction } from "@/app/(admin)/admin/(settings)/actions";
import { useSaid } from "@/components/accounts/session/use-action";
import { TitledCard } from "@/components/data/titled-card";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { AmountField } from "@/components/forms/text-fields";
import { formatDateTime } from "@/lib/domain/time";
import { changePlatformSchema, type PlatformView } from "@/lib/merchants/model/merchant-settings";

export function PlatformForm({ settings }: { settings: PlatformView }) {
  const t = useTranslations("settings.platform");
  const config = useTranslations("config");
  const locale = useLocale();
  const said = useSaid();
  return (
    <TitledCard title={t("title")} text={t("text")}>
      <ActionForm
        schema={changePlatformSchema}
        action={changePlatformAction}
        defaultValues={{ redeemAllowanceCeiling: String(settings.redeemAllowanceCeiling) }}
        onSuccess={({ pending }) => {
          const asked = pending && pending.id !== settings.pending?.id;
          said(
            asked ? config("savedWaits", { time: formatDateTime(pending.effectiveAt, locale) }) : t("saved"),
          );
        }}
      >
        <AmountField name="redeemAllowanceCeiling" label={t("ceiling")} hint={t("ceilingHint")} />
        <SubmitButton className="self-start">{t("save")}</SubmitButton>
      </ActionForm>
    </TitledCard>
  );
}
