"use client";

import { BanIcon, CircleCheckIcon, PencilIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { z } from "zod";
import { editCustomerAction } from "@/app/_panels/actions";
import { ConfirmButton } from "@/components/data/confirm-button";
import { FormDialog } from "@/components/forms/form-dialog";
import { DateField, PhoneField, TextField } from "@/components/forms/text-fields";
import { typedBirthSchema } from "@/lib/cards/model/card-holder";
import { type CustomerProfile, editCustomerSchema } from "@/lib/customers/model/customers";
import { formatPhone } from "@/lib/domain/contact";
import { formatNumericDate, toIsoDay } from "@/lib/domain/time";

const { customerId, fullName, phone } = editCustomerSchema.shape;
/** The form's schema: a field that was empty may stay so, another one is mended but not emptied. */
const formSchemaOf = (customer: CustomerProfile) =>
  z.object({
    customerId,
    fullName,
    phone: customer.phone ? phone : z.union([z.literal(""), phone]),
    dateOfBirth: customer.dateOfBirth ? typedBirthSchema : z.union([z.literal(""), typedBirthSchema]),
  });

/** Edits a customer's name, phone and date of birth. */
export function EditCustomerDialog({ customer }: { customer: CustomerProfile }) {
  const t = useTranslations("customers");
  const formSchema = formSchemaOf(customer);
  const label = (
    <>
      <PencilIcon aria-hidden /> {t("edit")}
    </>
  );
  return (
    <FormDialog
      trigger={{ children: label }}
      title={t("editTitle")}
      description={t("editText")}
      schema={formSchema}
      action={({ phone: number, dateOfBirth: birth, ...rest }: z.input<ReturnType<typeof formSchemaOf>>) =>
        editCustomerAction({
          ...rest,
          phone: number || undefined,
          dateOfBirth: birth ? toIsoDay(birth) : undefined,
        })
      }
      defaultValues={{
        customerId: customer.id,
        fullName: customer.fullName,
        phone: customer.phone ? formatPhone(customer.phone) : "",
        dateOfBirth: customer.dateOfBirth ? formatNumericDate(customer.dateOfBirth) : "",
      }}
      submit={{ children: t("save") }}
    >
      <TextField name="fullName" label={t("fullName")} autoComplete="off" />
      <PhoneField name="phone" label={t("phone")} autoComplete="off" />
      <DateField name="dateOfBirth" label={t("birth")} autoComplete="off" />
    </FormDialog>
  );
}

/** Blocks an active card or unblocks a blocked one. Renders nothing for other statuses. */
export function BlockButton({ customer }: { customer: CustomerProfile }) {
  const t = useTranslations("customers");
  const router = useRouter();
  if (customer.status !== "active" && customer.status !== "blocked") return null;
  const blocks = customer.status === "active";
  const Icon = blocks ? BanIcon : CircleCheckIcon;
  return (
    <ConfirmButton
      variant="outline"
      title={t(blocks ? "blockTitle" : "unblockTitle")}
      description={t(blocks ? "blockText" : "unblockText", { name: customer.fullName })}
      confirmLabel={t(blocks ? "block" : "unblock")}
      confirmVariant={blocks ? "destructive" : "default"}
      run={() => editCustomerAction({ customerId: customer.id, status: blocks ? "blocked" : "active" })}
      onDone={() => router.refresh()}
    >
      <Icon aria-hidden /> {t(blocks ? "block" : "unblock")}
    </ConfirmButton>
  );
}
