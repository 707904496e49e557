"use client";

import {
  BanIcon,
  CircleCheckIcon,
  GiftIcon,
  HourglassIcon,
  MailIcon,
  PencilIcon,
  SnowflakeIcon,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { z } from "zod";
import {
  changeCustomerEmailAction,
  editCustomerAction,
  sendUnfreezeCodeAction,
  stopCustomerEmailAction,
  unfreezeCustomerAction,
} from "@/app/_panels/actions";
import { CodeStep } from "@/components/codes/code-step";
import { useMailedCode } from "@/components/codes/use-mailed-code";
import { ConfirmButton } from "@/components/data/confirm-button";
import { SelectField } from "@/components/forms/choice-fields";
import { FieldError } from "@/components/forms/field-error";
import { FormDialog } from "@/components/forms/form-dialog";
import { sendUnderKey } from "@/components/forms/idempotency-key";
import {
  AmountField,
  DateField,
  EmailField,
  PhoneField,
  TextareaField,
  TextField,
} from "@/components/forms/text-fields";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useNotify } from "@/components/ui/notify";
import { Spinner } from "@/components/ui/spinner";
import { api, toResult } from "@/lib/api/client";
import { type PendingEmail, typedBirthSchema } from "@/lib/cards/model/card-holder";
import type { BranchChoice } from "@/lib/counter/names";
import { changeCustomerEmailSchema, editCustomerSchema } from "@/lib/customers/model/customers";
import type { CustomerProfile } from "@/lib/customers/names";
import { formatPhone } from "@/lib/domain/contact";
import { branchName } from "@/lib/domain/localized-names";
import { formatDateTime, formatNumericDate, toIsoDay } from "@/lib/domain/time";
import { giveBonusSchema } from "@/lib/ledger/model/movements";
import { ledgerCalls } from "@/lib/ledger/names";

const { customerId, fullName, phone } = editCustomerSchema.shape;
/** The form's schema: a field that was empty may stay so, another one is mended but not emptied. */
const editSchemaOf = (customer: CustomerProfile) =>
  z.object({
    customerId,
    fullName,
    phone: customer.phone ? phone : z.union([z.literal(""), phone]),
    dateOfBirth: customer.dateOfBirth ? typedBirthSchema : z.union([z.literal(""), typedBirthSchema]),
  });

/** Edits a customer's name, phone and date of birth. */
export function EditCustomerDialog({ customer }: { customer: CustomerProfile }) {
  const t = useTranslations("customers");
  const schema = editSchemaOf(customer);
  return (
    <FormDialog
      trigger={{ icon: PencilIcon, children: t("edit") }}
      title={t("editTitle")}
      description={t("editText")}
      schema={schema}
      action={({ phone: number, dateOfBirth: birth, ...rest }: z.input<ReturnType<typeof editSchemaOf>>) =>
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
  if (customer.status !== "active" && customer.status !== "blocked") return null;
  const blocks = customer.status === "active";
  return (
    <ConfirmButton
      icon={blocks ? BanIcon : CircleCheckIcon}
      label={t(blocks ? "block" : "unblock")}
      title={t(blocks ? "blockTitle" : "unblockTitle")}
      description={t(blocks ? "blockText" : "unblockText", { name: customer.fullName })}
      confirmVariant={blocks ? "destructive" : "default"}
      run={() => editCustomerAction({ customerId: customer.id, status: blocks ? "blocked" : "active" })}
    />
  );
}

type ChangeEmailProps = { customer: CustomerProfile; earlier: string[] };

/** Restores an earlier e-mail of a card or sets a new one, which waits. */
export function ChangeCustomerEmailDialog({ customer, earlier }: ChangeEmailProps) {
  const t = useTranslations("customers.restore");
  return (
    <FormDialog
      trigger={{ icon: MailIcon, children: t("open") }}
      title={t("title")}
      description={t("text")}
      schema={changeCustomerEmailSchema}
      action={changeCustomerEmailAction}
      defaultValues={{ customerId: customer.id, email: earlier[0] ?? "", reason: "" }}
      submit={{ children: t("submit") }}
    >
      {earlier.length > 0 && (
        <p className="break-words text-muted-foreground text-sm">
          {t("earlier", { emails: earlier.map((email) => `\u2068${email}\u2069`).join(" · ") })}
        </p>
      )}
      <EmailField name="email" label={t("email")} autoComplete="off" />
      <TextareaField name="reason" label={t("reason")} hint={t("reasonHint")} maxLength={500} />
    </FormDialog>
  );
}

type PendingEmailProps = { customer: CustomerProfile; pending: PendingEmail };

/** The pending change of a card's e-mail, with Cancel. */
export function PendingCustomerEmail({ customer, pending }: PendingEmailProps) {
  const t = useTranslations("customers.restore");
  const card = useTranslations("card");
  const locale = useLocale();
  const words = { email: pending.email, time: formatDateTime(pending.dueAt, locale) };
  return (
    <Alert
      variant="warning"
      className="mb-5"
      data-slot="pending-email"
      icon={HourglassIcon}
      title={t("pendingTitle")}
      textClass="flex flex-col items-start gap-3"
    >
      <p className="break-words">
        {t("pending", words)} {t(`by.${pending.kind}`)}
      </p>
      <ConfirmButton
        label={card("pendingEmailCancel")}
        title={t("cancelQuestion")}
        description={t("cancelText")}
        run={() => stopCustomerEmailAction({ customerId: customer.id })}
      />
    </Alert>
  );
}

const { endsOn } = giveBonusSchema.shape;
// A bonus without a day never ends.
const bonusSchema = giveBonusSchema
  .pick({ customerId: true, points: true, branchId: true, reason: true })
  .extend({
    endsOn: z.union([z.literal(""), z.string().transform(toIsoDay).pipe(endsOn.unwrap())]),
  });

type GiveBonusDialogProps = {
  customer: { id: string; fullName: string };
  branches: BranchChoice[];
  session: string;
};

/** Gives a customer bonus points, with a reason, at a branch. */
export function GiveBonusDialog({ customer, branches, session }: GiveBonusDialogProps) {
  const t = useTranslations("bonus");
  const locale = useLocale();
  const unavailable = useTranslations("errors")("unavailable");
  return (
    <FormDialog
      trigger={{ icon: GiftIcon, children: t("give") }}
      title={t("title")}
      description={t("text", { name: customer.fullName })}
      schema={bonusSchema}
      action={async ({ endsOn: day, ...rest }: z.input<typeof bonusSchema>) => {
        const input = { ...rest, endsOn: day ? toIsoDay(day) : undefined };
        const answer = await sendUnderKey(`bonus.${customer.id}`, (idempotencyKey) =>
          api(ledgerCalls.giveBonus, { ...input, idempotencyKey }, { session }),
        );
        return toResult(answer, unavailable);
      }}
      defaultValues={{
        customerId: customer.id,
        points: "",
        reason: "",
        endsOn: "",
        branchId: branches.length === 1 ? (branches[0]?.id ?? "") : "",
      }}
      submit={{ children: t("give") }}
    >
      <AmountField name="points" label={t("points")} />
      <SelectField
        name="branchId"
        label={t("branch")}
        placeholder={t("chooseBranch")}
        options={branches.map((branch) => ({
          value: branch.id,
          label: `${branchName(branch, locale)} · ${branch.city}`,
        }))}
      />
      <DateField name="endsOn" label={t("endsOn")} hint={t("endsOnHint")} />
      <TextareaField name="reason" label={t("reason")} rows={2} maxLength={500} />
    </FormDialog>
  );
}

/** Unfreezes a card with a code that is mailed to its holder. */
export function FrozenCard({
  customer,
  codeEmail,
}: {
  customer: CustomerProfile;
  /** The address that the card had 72 hours ago. */
  codeEmail: string;
}) {
  const t = useTranslations();
  const notify = useNotify();
  const router = useRouter();
  const code = useMailedCode({
    send: () => sendUnfreezeCodeAction({ customerId: customer.id }),
    onSent: () => notify.success(t("customers.codeSent")),
    enter: (digits) => unfreezeCustomerAction({ customerId: customer.id, code: digits }),
    onDone: () => router.refresh(),
  });
  return (
    <Alert
      variant="warning"
      className="mb-5"
      icon={SnowflakeIcon}
      title={t("customers.frozenTitle")}
      textClass="flex flex-col gap-4"
    >
      <p>{t("customers.frozenText")}</p>
      {code.sent ? (
        <div className="w-full max-w-xs">
          <CodeStep
            code={code}
            label={t("customers.code")}
            submitLabel={t("customers.unfreeze")}
            resendLabel={t("customers.sendAgain")}
          />
        </div>
      ) : (
        <>
          {code.problem && <FieldError>{code.problem}</FieldError>}
          <Button
            variant="outline"
            className="h-auto min-h-10 w-fit max-w-full whitespace-normal py-2 text-start leading-snug"
            aria-disabled={code.sending || undefined}
            onClick={code.send}
          >
            {code.sending ? <Spinner /> : <MailIcon aria-hidden />}
            <span className="min-w-0 break-words">{t("customers.sendCode", { email: codeEmail })}</span>
          </Button>
        </>
      )}
    </Alert>
  );
}
