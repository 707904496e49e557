"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { z } from "zod";
import { ActionForm, PhoneField, SubmitButton, TextField } from "@/components/forms";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { useNotify } from "@/components/ui/notify";
import { formatPhone } from "@/lib/domain/contact";
import type { ActionResult } from "@/lib/domain/errors";
import { type Business, updateBusinessSchema } from "@/lib/domain/merchant";
import { ImageField } from "./image-field";

type Input = z.input<typeof updateBusinessSchema>;

/** Edits the business profile. */
export function BusinessCard({
  business,
  imageUrl,
  action,
}: {
  business: Business;
  imageUrl: string | null;
  action: (input: Input) => Promise<ActionResult<Business>>;
}) {
  const t = useTranslations("merchants.profile");
  const notify = useNotify();
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("title")}</CardTitle>
        <CardDescription>{t("text")}</CardDescription>
      </CardHeader>
      <CardContent>
        <ActionForm
          // A new image remounts the form, so that it shows the saved image.
          key={business.imageKey ?? "none"}
          schema={updateBusinessSchema}
          action={action}
          defaultValues={{
            businessName: business.businessName,
            phone: formatPhone(business.phone),
            image: undefined,
          }}
          onSuccess={() => {
            notify.success(t("saved"));
            router.refresh();
          }}
        >
          <TextField name="businessName" label={t("name")} autoComplete="organization" />
          <ImageField name="image" current={imageUrl} onBusy={setBusy} />
          <PhoneField name="phone" label={t("phone")} />
          <SubmitButton className="self-start" disabled={busy}>
            {t("save")}
          </SubmitButton>
        </ActionForm>
      </CardContent>
    </Card>
  );
}
