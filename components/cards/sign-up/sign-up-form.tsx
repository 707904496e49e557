"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { useFormContext } from "react-hook-form";
import type { z } from "zod";
import { startSignUpAction } from "@/app/customer/actions";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { CheckboxField } from "@/components/forms/checkbox-field";
import { DateField, EmailField, PhoneField, TextField } from "@/components/forms/text-fields";
import type { signUpFormSchema } from "@/lib/cards/model/card-holder";
import { formatPhone } from "@/lib/domain/contact";
import { formatNumericDate } from "@/lib/domain/time";
import { savePendingSignUp, saveSentCode, takeForForm } from "../stored-data";
import { MerchantFace, type SignUpMerchant } from "./merchant-face";

type Values = z.input<typeof signUpFormSchema>;

const loadSchema = async () => (await import("@/lib/cards/model/card-holder")).signUpFormSchema;

function TypedBefore({ merchantId }: { merchantId: string }) {
  const { reset } = useFormContext<Partial<Values>>();
  useEffect(() => {
    const typed = takeForForm(merchantId);
    if (!typed) return;
    const values = {
      fullName: typed.sFullName,
      email: typed.sEmail,
      phone: formatPhone(typed.sPhoneNumber),
      dateOfBirth: formatNumericDate(typed.dDateOfBirth),
      merchantId,
      ...(typed.bConsent ? { consent: true as const } : {}),
    };
    reset(values, { keepDefaultValues: true });
  }, [merchantId, reset]);
  return null;
}

/** The customer's details. Submitting mails the first code and opens the page where it is entered. */
export function SignUpForm({ merchantId }: { merchantId: string }) {
  const t = useTranslations("customerSignup");
  const router = useRouter();
  return (
    <ActionForm<Values, unknown>
      schema={loadSchema}
      action={startSignUpAction}
      defaultValues={{ fullName: "", email: "", phone: "", dateOfBirth: "", merchantId }}
      once
      onSuccess={async (_data, form) => {
        const details = (await loadSchema()).parse(form.getValues());
        savePendingSignUp({
          sFullName: details.fullName,
          sEmail: details.email,
          sPhoneNumber: details.phone,
          dDateOfBirth: details.dateOfBirth,
          iMerchantId: details.merchantId,
          bConsent: true,
        });
        saveSentCode(details.email, { at: Date.now(), wrong: 0 });
        router.push(`/customer/verify?from=signup&merchantId=${merchantId}`);
      }}
    >
      <TypedBefore merchantId={merchantId} />
      <TextField name="fullName" label={t("fullName")} autoComplete="name" size="xl" maxLength={80} />
      <EmailField name="email" label={t("email")} size="xl" hint={t("emailHint")} />
      <PhoneField name="phone" label={t("phone")} size="xl" />
      <DateField name="dateOfBirth" label={t("dateOfBirth")} size="xl" autoComplete="bday" />
      <CheckboxField
        name="consent"
        label={t.rich("consent", {
          link: (words) => (
            <a
              href="/privacy"
              target="_blank"
              rel="noopener"
              className="font-medium underline underline-offset-4"
            >
              {words}
            </a>
          ),
        })}
      />
      <SubmitButton size="xl" className="mt-1 w-full" pendingLabel={t("sending")}>
        {t("submit")}
      </SubmitButton>
    </ActionForm>
  );
}

export function SignUpHead({ merchant }: { merchant: SignUpMerchant }) {
  const t = useTranslations("customerSignup");
  return (
    <div className="flex flex-col gap-4 pt-1 pb-5">
      <MerchantFace merchant={merchant} />
      <div>
        <h1 className="text-balance font-semibold text-2xl tracking-tight">
          {t("title", { merchant: merchant.businessName })}
        </h1>
        <p className="mt-1 text-muted-foreground">{t("intro")}</p>
      </div>
    </div>
  );
}
