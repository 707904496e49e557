"use client";

import { GiftIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { z } from "zod";
import { SelectField } from "@/components/forms/choice-fields";
import { FormDialog } from "@/components/forms/form-dialog";
import { AmountField, DateField, TextareaField } from "@/components/forms/text-fields";
import { api, toResult } from "@/lib/api/client";
import type { BranchChoice } from "@/lib/counter/model/counter";
import { branchName } from "@/lib/domain/branch-name";
import { toIsoDay } from "@/lib/domain/time";
import { giveBonusSchema } from "@/lib/ledger/model/movements";
import { ledgerCalls } from "@/lib/ledger/names";

const { customerId, points, branchId, reason, endsOn } = giveBonusSchema.shape;
// A bonus without a day never ends.
const formSchema = z.object({
  customerId,
  points,
  branchId,
  reason,
  endsOn: z.union([z.literal(""), z.string().transform(toIsoDay).pipe(endsOn.unwrap())]),
});

type BonusProps = {
  customer: { id: string; fullName: string };
  /** The open branches of the customer's merchant. */
  branches: BranchChoice[];
  /** The session's handle. */
  session: string;
};

/** Gives a customer bonus points, with a reason, at a branch. */
export function GiveBonusDialog({ customer, branches, session }: BonusProps) {
  const t = useTranslations("bonus");
  const locale = useLocale();
  const unavailable = useTranslations("errors")("unavailable");
  const label = (
    <>
      <GiftIcon aria-hidden /> {t("give")}
    </>
  );
  return (
    <FormDialog
      trigger={{ children: label }}
      title={t("title")}
      description={t("text", { name: customer.fullName })}
      schema={formSchema}
      action={async ({ endsOn: day, ...rest }: z.input<typeof formSchema>, idempotencyKey) => {
        const input = { ...rest, endsOn: day ? toIsoDay(day) : undefined, idempotencyKey };
        return toResult(await api(ledgerCalls.giveBonus, input, { session }), unavailable);
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
