"use client";

import { GiftIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { z } from "zod";
import { newIdempotencyKey } from "@/components/counter/attempt";
import {
  ActionForm,
  AmountField,
  DateField,
  SelectField,
  SubmitButton,
  TextareaField,
} from "@/components/forms";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogCancel,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notify";
import type { BranchChoice } from "@/lib/domain/counter";
import type { ActionResult } from "@/lib/domain/errors";
import { giveBonusSchema } from "@/lib/domain/movements";

const { customerId, points, branchId, reason, endsOn } = giveBonusSchema.shape;
// A bonus without a day never ends.
const formSchema = z.object({
  ...{ customerId, points, branchId, reason },
  endsOn: z.union([z.literal(""), endsOn]),
});

export type BonusAction = (input: z.input<typeof giveBonusSchema>) => Promise<ActionResult<unknown>>;
type BonusProps = {
  customer: { id: string; fullName: string };
  /** The open branches of the customer's merchant. */
  branches: BranchChoice[];
  give: BonusAction;
};

/** Gives a customer bonus points, with a reason, at a branch. */
export function GiveBonusDialog(props: BonusProps) {
  const t = useTranslations("bonus");
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="outline">
          <GiftIcon aria-hidden /> {t("give")}
        </Button>
      </DialogTrigger>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("title")}</DialogTitle>
          <DialogDescription>{t("text", { name: props.customer.fullName })}</DialogDescription>
        </DialogHeader>
        <BonusForm {...props} onGiven={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  );
}

function BonusForm({ customer, branches, give, onGiven }: BonusProps & { onGiven: () => void }) {
  const t = useTranslations("bonus");
  const notify = useNotify();
  const router = useRouter();
  // One key as long as the dialog is open: sent twice, it is given once.
  const [idempotencyKey] = useState(newIdempotencyKey);
  return (
    <ActionForm
      schema={formSchema}
      action={({ endsOn: day, ...rest }: z.input<typeof formSchema>) =>
        give({ ...rest, endsOn: day || undefined, idempotencyKey })
      }
      defaultValues={{
        ...{ customerId: customer.id, points: "", reason: "", endsOn: "" },
        branchId: branches.length === 1 ? (branches[0]?.id ?? "") : "",
      }}
      onSuccess={() => {
        onGiven();
        notify.success(t("given"));
        router.refresh();
      }}
    >
      <AmountField name="points" label={t("points")} />
      <SelectField
        name="branchId"
        label={t("branch")}
        placeholder={t("chooseBranch")}
        options={branches.map(({ id, name, city }) => ({ value: id, label: `${name} · ${city}` }))}
      />
      <DateField name="endsOn" label={t("endsOn")} hint={t("endsOnHint")} />
      <TextareaField name="reason" label={t("reason")} rows={2} maxLength={500} />
      <DialogFooter>
        <DialogCancel />
        <SubmitButton>{t("give")}</SubmitButton>
      </DialogFooter>
    </ActionForm>
  );
}
