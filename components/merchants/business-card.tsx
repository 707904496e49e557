"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { updateBusinessAction } from "@/app/(merchant)/merchant/actions";
import { useSaid } from "@/components/accounts/session/use-action";
import { CardFace } from "@/components/cards/face";
import { TitledCard } from "@/components/data/titled-card";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { useFieldNotes } from "@/components/forms/field";
import { PhoneField, TextField } from "@/components/forms/text-fields";
import { Input } from "@/components/ui/input";
import { cardColours, parseColour } from "@/lib/cards/model/card-colours";
import { formatPhone } from "@/lib/domain/contact";
import { merchantName } from "@/lib/domain/localized-names";
import { type Business, updateBusinessSchema } from "@/lib/merchants/model/merchant";
import { PendingProfileNotice, type Pictures } from "./pending-profile";
import { ImageField } from "./upload";

/** Colours that white text is easy to read on. */
const GOOD = {
  teal: "#0f5257",
  navy: "#1e3a6e",
  blue: "#1d4e89",
  violet: "#5b2a86",
  maroon: "#8a1538",
  red: "#9b1c1c",
  green: "#1d5b38",
  brown: "#6b3f1d",
  charcoal: "#334155",
} as const;

const SWATCH =
  "grid size-11 cursor-pointer place-items-center rounded-full border-2 border-transparent has-checked:border-primary has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2";

type CardOf = { business: Business; pictures: Pictures };

/** The value is a colour such as "#8a1538", or "" for the image's. */
function ColourField({ business, pictures }: CardOf) {
  const name = "colour";
  const t = useTranslations("merchants.colour");
  const { register, setValue } = useFormContext();
  const { control, hintLine, errorLine } = useFieldNotes(name, t("ownHint"));
  const value = String(useWatch({ name }) ?? "");
  const own = parseColour(value);
  const choose = (colour: string) => setValue(name, colour, { shouldDirty: true, shouldValidate: true });
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-2 font-medium text-sm">{t("title")}</legend>
      <div className="flex flex-wrap gap-1">
        <label className="flex min-h-11 cursor-pointer items-center gap-2 rounded-full border px-4 text-sm has-checked:border-primary has-checked:bg-primary-soft has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2">
          <input
            type="radio"
            name={`${control.id}-colour`}
            className="sr-only"
            checked={value === ""}
            onChange={() => choose("")}
          />
          {t("fromImage")}
        </label>
        {(Object.keys(GOOD) as (keyof typeof GOOD)[]).map((good) => (
          <label key={good} className={SWATCH} title={t(`names.${good}`)}>
            <input
              type="radio"
              name={`${control.id}-colour`}
              aria-label={t(`names.${good}`)}
              className="sr-only"
              checked={own === GOOD[good]}
              onChange={() => choose(GOOD[good])}
            />
            <span aria-hidden className="size-8 rounded-full" style={{ backgroundColor: GOOD[good] }} />
          </label>
        ))}
      </div>
      <label htmlFor={control.id} className="mt-1 font-medium text-sm">
        {t("own")}
      </label>
      <Input
        {...control}
        {...register(name)}
        dir="ltr"
        placeholder="#8a1538"
        autoComplete="off"
        spellCheck={false}
        maxLength={20}
        className="max-w-40 font-mono rtl:text-end"
      />
      {hintLine}
      {errorLine}
      <Sample business={business} pictures={pictures} own={own} />
    </fieldset>
  );
}

function Sample({ business, pictures: { image, logo }, own }: CardOf & { own: string | null }) {
  const t = useTranslations("merchants.colour");
  const locale = useLocale();
  const [businessName, businessNameAr] = useWatch({ name: ["businessName", "businessNameAr"] }) as string[];
  const label = merchantName(
    { businessName: businessName ?? "", businessNameAr: businessNameAr || null },
    locale,
  );
  const colours = cardColours(business.id, null, own ?? business.imageColour);
  const { via, accent } = colours;
  return (
    <div className="mt-1 flex flex-col gap-2">
      <div data-slot="colour-sample" data-colour={via} className="max-w-sm">
        <CardFace
          colours={colours}
          imageUrl={image}
          logoUrl={logo}
          className="[&_.face-picture]:min-h-36"
          title={
            <p dir="auto" title={label}>
              {label}
            </p>
          }
        >
          <p className="px-5 py-4 text-sm sm:ps-7" style={{ color: accent }}>
            {t("sample")}
          </p>
        </CardFace>
      </div>
      {own !== null && via !== own && (
        <p role="status" className="text-sm">
          {t("shifted", { wanted: own, colour: via })}
        </p>
      )}
    </div>
  );
}

type BusinessCardProps = {
  business: Business;
  pictures: Pictures;
  pending: Pictures;
};

export function BusinessCard({ business, pictures, pending }: BusinessCardProps) {
  const t = useTranslations("merchants.profile");
  const said = useSaid();
  const [imageBusy, setImageBusy] = useState(false);
  const [logoBusy, setLogoBusy] = useState(false);
  const [image, setImage] = useState(pictures.image);
  const [logo, setLogo] = useState(pictures.logo);
  return (
    <TitledCard title={t("title")} text={t("text")} contentClass="flex flex-col gap-5">
      {business.pending && <PendingProfileNotice pending={business.pending} pictures={pending} />}
      <ActionForm
        // A new picture remounts the form, so that it shows the saved one.
        key={`${business.imageKey} ${business.logoKey} ${business.pending?.id}`}
        schema={updateBusinessSchema}
        action={updateBusinessAction}
        defaultValues={{
          businessName: business.businessName,
          businessNameAr: business.businessNameAr ?? "",
          phone: formatPhone(business.phone),
          image: undefined,
          logo: undefined,
          colour: business.colour ?? "",
        }}
        onSuccess={(saved) => {
          // A new pending change is shown above the form, so it needs no notification.
          said(saved.pending && saved.pending.id !== business.pending?.id ? null : t("saved"));
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
        <ImageField name="logo" current={pictures.logo} onBusy={setLogoBusy} onShown={setLogo} />
        <ColourField business={business} pictures={{ image, logo }} />
        <PhoneField name="phone" label={t("phone")} />
        <SubmitButton className="self-start" disabled={imageBusy || logoBusy}>
          {t("save")}
        </SubmitButton>
      </ActionForm>
    </TitledCard>
  );
}
