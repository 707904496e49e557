"use client";

import { HourglassIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { z } from "zod";
import { ConfirmButton } from "@/components/data/confirm-button";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { PhoneField, TextField } from "@/components/forms/text-fields";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { useNotify } from "@/components/ui/notify";
import { formatPhone } from "@/lib/domain/contact";
import type { ActionResult } from "@/lib/domain/errors";
import { type Business, type PendingProfile as Pending, updateBusinessSchema } from "@/lib/domain/merchant";
import { ImageField } from "./image-field";

type Input = z.input<typeof updateBusinessSchema>;

/** Edits the business profile. */
export function BusinessCard({
  business,
  imageUrl,
  pendingImageUrl,
  action,
  cancel,
}: {
  business: Business;
  imageUrl: string | null;
  /** The image that waits for an administrator. */
  pendingImageUrl: string | null;
  action: (input: Input) => Promise<ActionResult<Business>>;
  cancel: (input: Record<never, never>) => Promise<ActionResult<unknown>>;
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
      <CardContent className="flex flex-col gap-5">
        {business.pending && (
          <PendingProfile pending={business.pending} imageUrl={pendingImageUrl} cancel={cancel} />
        )}
        <ActionForm
          // A new image remounts the form, so that it shows the saved image.
          key={`${business.imageKey} ${business.pending?.id}`}
          schema={updateBusinessSchema}
          action={action}
          defaultValues={{
            businessName: business.businessName,
            phone: formatPhone(business.phone),
            image: undefined,
          }}
          onSuccess={(saved) => {
            // What waits stands above the form.
            if (!saved.pending || saved.pending.id === business.pending?.id) notify.success(t("saved"));
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

/** The name and the image that wait for an administrator, with Cancel. */
function PendingProfile({
  pending,
  imageUrl,
  cancel,
}: {
  pending: Pending;
  imageUrl: string | null;
  cancel: (input: Record<never, never>) => Promise<ActionResult<unknown>>;
}) {
  const t = useTranslations("merchants.profile");
  const router = useRouter();
  return (
    <Alert variant="warning" data-slot="pending-profile">
      <HourglassIcon aria-hidden />
      <AlertTitle>{t("pendingTitle")}</AlertTitle>
      <AlertDescription className="flex min-w-0 flex-col items-start gap-3">
        {pending.businessName !== undefined && (
          <p className="break-words">{t("pendingName", { name: `\u2068${pending.businessName}\u2069` })}</p>
        )}
        {pending.imageKey === null && <p>{t("pendingNoImage")}</p>}
        {imageUrl && (
          // biome-ignore lint/performance/noImgElement: the store serves it in its final size
          <img
            src={imageUrl}
            alt={t("pendingImage")}
            className="h-24 w-full max-w-48 rounded-md object-cover"
          />
        )}
        <p>{t("pendingText")}</p>
        <ConfirmButton
          variant="outline"
          title={t("cancel")}
          description={t("pendingText")}
          confirmLabel={t("cancel")}
          run={() => cancel({})}
          onDone={() => router.refresh()}
        >
          {t("cancel")}
        </ConfirmButton>
      </AlertDescription>
    </Alert>
  );
}
