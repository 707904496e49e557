"use client";

import { CircleCheckIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { signUpMerchantAction } from "@/app/_session/actions";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { EmailField, PasswordField, PhoneField, TextField } from "@/components/forms/text-fields";
import { LinkButton } from "@/components/ui/button";
import { DocumentsField, ImageField } from "./upload";

const loadSchema = async () => (await import("@/lib/merchants/model/merchant")).merchantSignUpSchema;

export function MerchantSignUpForm() {
  const t = useTranslations("merchants.signup");
  const [received, setReceived] = useState<string | null>(null);
  const [imageBusy, setImageBusy] = useState(false);
  const [documentsBusy, setDocumentsBusy] = useState(false);
  if (received) return <Received email={received} />;
  return (
    <ActionForm
      schema={loadSchema}
      action={signUpMerchantAction}
      defaultValues={{
        businessName: "",
        businessNameAr: "",
        firstName: "",
        lastName: "",
        email: "",
        phone: "",
        password: "",
        image: undefined,
        documents: [],
        branch: { name: "", city: "" },
      }}
      onSuccess={(_data, form) => setReceived(form.getValues("email"))}
      className="gap-7"
    >
      <Section title={t("business")}>
        <TextField name="businessName" label={t("businessName")} autoComplete="organization" />
        <TextField
          name="businessNameAr"
          label={t("businessNameAr")}
          optional
          dir="rtl"
          lang="ar"
          autoComplete="off"
        />
        <ImageField name="image" onBusy={setImageBusy} />
      </Section>
      <Section title={t("owner")}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField name="firstName" label={t("firstName")} autoComplete="given-name" />
          <TextField name="lastName" label={t("lastName")} autoComplete="family-name" />
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <EmailField name="email" label={t("email")} autoComplete="username" />
          <PhoneField name="phone" label={t("phone")} />
        </div>
        <PasswordField
          name="password"
          label={t("password")}
          hint={t("passwordHint")}
          autoComplete="new-password"
        />
      </Section>
      <Section title={t("branch")} text={t("branchText")}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField name="branch.name" label={t("branchName")} autoComplete="off" />
          <TextField name="branch.city" label={t("city")} autoComplete="address-level2" />
        </div>
      </Section>
      <DocumentsField name="documents" onBusy={setDocumentsBusy} />
      <SubmitButton size="lg" disabled={imageBusy || documentsBusy}>
        {t("send")}
      </SubmitButton>
    </ActionForm>
  );
}

function Section({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-3 font-semibold">{title}</legend>
      {text && <p className="-mt-3 text-muted-foreground text-sm">{text}</p>}
      {children}
    </fieldset>
  );
}

function Received({ email }: { email: string }) {
  const t = useTranslations("merchants.signup");
  return (
    <div role="status" className="flex flex-col items-center gap-3 py-4 text-center">
      <CircleCheckIcon className="size-12 text-success" aria-hidden />
      <h2 className="font-semibold text-xl">{t("received")}</h2>
      <p className="max-w-sm text-balance text-muted-foreground text-sm">{t("receivedText", { email })}</p>
      <LinkButton size="lg" className="mt-2" href="/login">
        {t("login")}
      </LinkButton>
    </div>
  );
}
