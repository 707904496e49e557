"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import type { z } from "zod";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { AmountField } from "@/components/forms/text-fields";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { useNotify } from "@/components/ui/notify";
import type { ActionResult } from "@/lib/domain/errors";
import type { Locale } from "@/lib/domain/roles";
import { formatDateTime } from "@/lib/domain/time";
import { changePlatformSchema, type PlatformView } from "@/lib/merchants/model/merchant-settings";

/** Edits the limits that the platform sets for every merchant. */
export function PlatformForm({
  settings,
  action,
}: {
  settings: PlatformView;
  action: (input: z.input<typeof changePlatformSchema>) => Promise<ActionResult<PlatformView>>;
}) {
  const t = useTranslations("settings.platform");
  const config = useTranslations("config");
  const locale = useLocale() as Locale;
  const notify = useNotify();
  const router = useRouter();
  return (
    <Card className="max-w-xl">
      <CardHeader>
        <CardTitle>{t("title")}</CardTitle>
        <CardDescription>{t("text")}</CardDescription>
      </CardHeader>
      <CardContent>
        <ActionForm
          schema={changePlatformSchema}
          action={action}
          defaultValues={{ redeemAllowanceCeiling: String(settings.redeemAllowanceCeiling) }}
          onSuccess={({ pending }) => {
            const asked = pending && pending.id !== settings.pending?.id;
            notify.success(
              asked
                ? config("savedWaits", { time: formatDateTime(pending.effectiveAt, locale) })
                : t("saved"),
            );
            router.refresh();
          }}
        >
          <AmountField name="redeemAllowanceCeiling" label={t("ceiling")} hint={t("ceilingHint")} />
          <SubmitButton className="self-start">{t("save")}</SubmitButton>
        </ActionForm>
      </CardContent>
    </Card>
  );
}
