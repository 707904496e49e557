"use client";

import { useTranslations } from "next-intl";
import { z } from "zod";
import { setPinAction } from "@/app/_panels/actions";
import { TitledCard } from "@/components/data/titled-card";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { PasswordField } from "@/components/forms/text-fields";
import { useNotify } from "@/components/ui/notify";
import { toLatinDigits } from "@/lib/domain/money";
import { setPinSchema } from "@/lib/tills/model/till";

const schema = setPinSchema
  .extend({ repeat: z.string() })
  .refine(({ pin, repeat }) => toLatinDigits(repeat).trim() === pin, {
    error: "validation.pinRepeat",
    path: ["repeat"],
  });

export function PinCard() {
  const t = useTranslations("account.pin");
  const notify = useNotify();
  const digits = { inputMode: "numeric", maxLength: 6, autoComplete: "off" } as const;
  return (
    <TitledCard id="pin" title={t("title")} text={t("description")}>
      <ActionForm
        schema={schema}
        action={({ password, pin }) => setPinAction({ password, pin })}
        defaultValues={{ password: "", pin: "", repeat: "" }}
        onSuccess={(_done, form) => {
          form.reset();
          notify.success(t("saved"));
        }}
      >
        <PasswordField name="pin" label={t("pin")} hint={t("hint")} {...digits} />
        <PasswordField name="repeat" label={t("repeat")} {...digits} />
        <PasswordField name="password" label={t("password")} autoComplete="current-password" />
        <SubmitButton className="self-start">{t("save")}</SubmitButton>
      </ActionForm>
    </TitledCard>
  );
}
