"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { blockCustomersAction } from "@/app/_panels/actions";
import { FormDialog } from "@/components/forms/form-dialog";
import { TextareaField } from "@/components/forms/text-fields";
import { blockCustomersSchema } from "@/lib/customers/model/customers";

// More names would hide the question.
const MOST_NAMES = 6;

const formSchema = blockCustomersSchema.pick({ reason: true });

/** Asks for the reason, then blocks or unblocks these cards together. Open at first; `label` is what its button shows. */
export function BulkDialog({
  rows,
  status,
  done,
  label,
}: {
  rows: readonly { id: string; name: string }[];
  status: "active" | "blocked";
  done: () => void;
  label: ReactNode;
}) {
  const t = useTranslations("customers.bulk");
  const blocks = status === "blocked";
  const count = rows.length;
  // The browser's Back and Forward change the choice: the cards that are named are the ones that are sent.
  const customerIds = rows.map(({ id }) => id);
  return (
    <FormDialog
      defaultOpen
      trigger={{ children: label }}
      title={t(blocks ? "blockTitle" : "unblockTitle", { count })}
      description={t(blocks ? "blockText" : "unblockText")}
      schema={formSchema}
      action={({ reason }: { reason: string }) => blockCustomersAction({ customerIds, status, reason })}
      defaultValues={{ reason: "" }}
      submit={{
        children: t(blocks ? "block" : "unblock", { count }),
        variant: blocks ? "destructive" : "default",
      }}
      done={({ changed, left }) => t(blocks ? "blocked" : "unblocked", { count: changed, left })}
      onDone={done}
    >
      <ul className="flex flex-wrap gap-1.5 text-sm">
        {rows.slice(0, MOST_NAMES).map(({ id, name }) => (
          <li key={id} className="badge max-w-full bg-secondary">
            <bdi className="truncate">{name}</bdi>
          </li>
        ))}
        {count > MOST_NAMES && (
          <li className="badge text-muted-foreground">{t("more", { count: count - MOST_NAMES })}</li>
        )}
      </ul>
      <TextareaField name="reason" label={t("reason")} hint={t("reasonHint")} maxLength={500} />
    </FormDialog>
  );
}
