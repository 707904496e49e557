"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { z } from "zod";
import { ActionForm, AmountField, SubmitButton } from "@/components/forms";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { useNotify } from "@/components/ui/notify";
import type { ActionResult } from "@/lib/domain/errors";
import { changePlatformSchema, type PlatformSettings } from "@/lib/domain/merchant-settings";

/** Edits the limits that the platform sets for every merchant. */
export function PlatformForm({
  settings,
  action,
}: {
  settings: PlatformSettings;
  action: (input: z.input<typeof changePlatformSchema>) => Promise<ActionResult<PlatformSettings>>;
}) {
  const t = useTranslations("settings.platform");
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
          onSuccess={() => {
            notify.success(t("saved"));
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
