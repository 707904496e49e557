"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { blockCustomersAction } from "@/app/_panels/actions";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { TextareaField } from "@/components/forms/text-fields";
import {
  Dialog,
  DialogCancel,
  DialogContent,
  DialogFooter,
  DialogHeader,
  DialogTrigger,
} from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notify";
import { blockCustomersSchema } from "@/lib/customers/model/customers";

// More names would hide the question.
const MOST_NAMES = 6;

/** Asks for the reason, then blocks or unblocks these cards together. Open at first; `children` is its button. */
export function BulkDialog({
  rows,
  status,
  done,
  children,
}: {
  rows: readonly { id: string; name: string }[];
  status: "active" | "blocked";
  done: () => void;
  children: ReactNode;
}) {
  const t = useTranslations("customers.bulk");
  const notify = useNotify();
  const router = useRouter();
  const [open, setOpen] = useState(true);
  const blocks = status === "blocked";
  const count = rows.length;
  const customerIds = rows.map(({ id }) => id);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>{children}</DialogTrigger>
      <DialogContent>
        <DialogHeader
          title={t(blocks ? "blockTitle" : "unblockTitle", { count })}
          text={t(blocks ? "blockText" : "unblockText")}
        />
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
        <ActionForm
          // The browser's Back and Forward change the choice. The key renews the form, so it sends the
          // customers above it.
          key={customerIds.join()}
          schema={blockCustomersSchema}
          action={blockCustomersAction}
          defaultValues={{ customerIds, status, reason: "" }}
          onSuccess={({ changed, left }) => {
            setOpen(false);
            notify.success(t(blocks ? "blocked" : "unblocked", { count: changed, left }));
            done();
            router.refresh();
          }}
        >
          <TextareaField name="reason" label={t("reason")} hint={t("reasonHint")} maxLength={500} />
          <DialogFooter>
            <DialogCancel />
            <SubmitButton variant={blocks ? "destructive" : "default"}>
              {t(blocks ? "block" : "unblock", { count })}
            </SubmitButton>
          </DialogFooter>
        </ActionForm>
      </DialogContent>
    </Dialog>
  );
}
