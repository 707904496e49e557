"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { z } from "zod";
import { TitledCard } from "@/components/data/titled-card";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { PhoneField, TextField } from "@/components/forms/text-fields";
import { useNotify } from "@/components/ui/notify";
import { formatPhone } from "@/lib/domain/contact";
import type { ActionResult } from "@/lib/domain/errors";
import { type Business, updateBusinessSchema } from "@/lib/merchants/model/merchant";
import { ColourField } from "./colour-field";
import { ImageField } from "./image-field";
import { PendingProfileNotice, type Pictures } from "./pending-profile";

type Input = z.input<typeof updateBusinessSchema>;

const valuesOf = (business: Business): Input => ({
  businessName: business.businessName,
  businessNameAr: business.businessNameAr ?? "",
  phone: formatPhone(business.phone),
  image: undefined,
  logo: undefined,
  colour: business.colour ?? "",
});

/** Edits the business profile. */
export function BusinessCard({
  business,
  pictures,
  pending,
  fallback,
  action,
  cancel,
}: {
  business: Business;
  pictures: Pictures;
  /** Those that wait for an administrator. */
  pending: Pictures;
  /** The colour of the cards without one of their own. */
  fallback: string;
  action: (input: Input) => Promise<ActionResult<Business>>;
  cancel: (input: Record<never, never>) => Promise<ActionResult<unknown>>;
}) {
  const t = useTranslations("merchants.profile");
  const notify = useNotify();
  const router = useRouter();
  const [imageBusy, setImageBusy] = useState(false);
  const [logoBusy, setLogoBusy] = useState(false);
  const [image, setImage] = useState(pictures.image);
  const [logo, setLogo] = useState(pictures.logo);
  return (
    <TitledCard title={t("title")} text={t("text")} className="flex flex-col gap-5">
      {business.pending && (
        <PendingProfileNotice pending={business.pending} pictures={pending} cancel={cancel} />
      )}
      <ActionForm
        // A new picture remounts the form, so that it shows the saved one.
        key={`${business.imageKey} ${business.logoKey} ${business.pending?.id}`}
        schema={updateBusinessSchema}
        action={action}
        defaultValues={valuesOf(business)}
        onSuccess={(saved) => {
          // A new pending change is shown above the form, so it needs no notification.
          if (!saved.pending || saved.pending.id === business.pending?.id) notify.success(t("saved"));
          router.refresh();
        }}
      >
        <TextField name="businessName" label={t("name")} autoComplete="organization" />
        <TextField
          name="businessNameAr"
          label={t("nameAr")}
          hint={t("nameArHint")}
          optional
          dir="rtl"
          lang="ar"
          autoComplete="off"
        />
        <ImageField name="image" current={pictures.image} onBusy={setImageBusy} onShown={setImage} />
        <ImageField name="logo" kind="logo" current={pictures.logo} onBusy={setLogoBusy} onShown={setLogo} />
        <ColourField name="colour" merchantId={business.id} pictures={{ image, logo }} fallback={fallback} />
        <PhoneField name="phone" label={t("phone")} />
        <SubmitButton className="self-start" disabled={imageBusy || logoBusy}>
          {t("save")}
        </SubmitButton>
      </ActionForm>
    </TitledCard>
  );
}
