"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ActionForm, PhoneField, SubmitButton, TextField } from "@/components/forms";
import { Badge } from "@/components/ui/badge";
import { Card, CardAction, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { useNotify } from "@/components/ui/notify";
import type { Account } from "@/lib/domain/account";
import { displayPhone } from "@/lib/domain/phone";
import type { ActionResult } from "@/lib/domain/result";
import { type UpdateProfileInput, updateProfileSchema } from "@/lib/domain/schemas/account";

const schema = updateProfileSchema.pick({ firstName: true, lastName: true, phone: true });

/** Own name and phone. The e-mail is shown: it is what one signs in with. */
export function ProfileCard({
  account,
  merchantName,
  action,
}: {
  account: Account;
  merchantName: string | null;
  action: (input: UpdateProfileInput) => Promise<ActionResult<Account>>;
}) {
  const t = useTranslations("account");
  const roles = useTranslations("roles");
  const notify = useNotify();
  const router = useRouter();
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("profile.title")}</CardTitle>
        <CardDescription className="wrap-anywhere">
          <bdi className="block">{account.email}</bdi>
          {merchantName && <bdi className="block">{merchantName}</bdi>}
        </CardDescription>
        <CardAction>
          <Badge variant="soft">{roles(`${account.role}.label`)}</Badge>
        </CardAction>
      </CardHeader>
      <CardContent>
        <ActionForm
          schema={schema}
          action={action}
          defaultValues={{
            firstName: account.firstName,
            lastName: account.lastName,
            phone: account.phone ? displayPhone(account.phone) : "",
          }}
          onSuccess={() => {
            notify.success(t("profile.saved"));
            router.refresh();
          }}
        >
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField name="firstName" label={t("profile.firstName")} autoComplete="given-name" />
            <TextField name="lastName" label={t("profile.lastName")} autoComplete="family-name" />
          </div>
          <PhoneField name="phone" label={t("profile.phone")} optional={merchantName === null} />
          <SubmitButton className="self-start">{t("profile.save")}</SubmitButton>
        </ActionForm>
      </CardContent>
    </Card>
  );
}
