"use client";

import { InboxIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useEffect } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { resolveEntryAction } from "@/app/(merchant)/merchant/actions";
import { Money } from "@/components/data/money";
import { NoRows } from "@/components/data/no-rows";
import { SelectField } from "@/components/forms/choice-fields";
import { FormDialog } from "@/components/forms/form-dialog";
import { TextareaField, TextField } from "@/components/forms/text-fields";
import { Card } from "@/components/ui/card";
import { formatDateTime } from "@/lib/domain/time";
import { RESOLUTIONS, resolveEntrySchema } from "@/lib/tills/model/offline";
import type { OfflineEntry } from "@/lib/tills/names";

/** The owner's inbox of what tills kept without a connection, each entry with why it is there and what to do. */
export function OfflineList({
  entries,
  rate,
  filtered,
}: {
  entries: readonly OfflineEntry[];
  /** The value of a point, in dirhams. */
  rate: number;
  filtered: boolean;
}) {
  const t = useTranslations("offline");
  if (entries.length === 0) {
    return (
      <Card className="py-0">
        <NoRows of="offline" icon={InboxIcon} filtered={filtered} />
      </Card>
    );
  }
  return (
    <ul aria-label={t("caption")} className="grid grid-cols-1 gap-3 lg:grid-cols-2">
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} rate={rate} />
      ))}
    </ul>
  );
}

function Entry({ entry, rate }: { entry: OfflineEntry; rate: number }) {
  const t = useTranslations("offline");
  const locale = useLocale();
  const tenders = useTranslations("receipts.paid");
  const { customer, points, tender, till, worker, sentBy, occurredAt, code } = entry;
  const { resolution, resolvedBy, reason } = entry;
  return (
    <li className="flex min-w-0 flex-col gap-2 rounded-xl border bg-card p-4 shadow-card">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="min-w-0 wrap-anywhere font-semibold">
          <bdi>{customer?.fullName ?? t("unknownCustomer")}</bdi>
        </h3>
        <Money points={points} rate={rate} layout="stack" className="shrink-0" />
      </div>
      <p className="text-muted-foreground text-sm">
        {tenders(tender)} · <bdi>{till.name}</bdi> · <bdi>{worker.name}</bdi> ·{" "}
        <span className="whitespace-nowrap">{formatDateTime(occurredAt, locale)}</span>
        {sentBy.id !== worker.id && (
          <>
            {" · "}
            {t.rich("sentBy", { name: () => <bdi>{sentBy.name}</bdi> })}
          </>
        )}
      </p>
      <p className="text-sm">{t(`why.${code}`)}</p>
      <div className="mt-auto pt-1">
        {resolution ? (
          <p className="border-t pt-3 text-muted-foreground text-sm wrap-anywhere">
            <span className="font-medium text-foreground">{t(`resolved.${resolution}`)}</span> ·{" "}
            <bdi>{resolvedBy?.name}</bdi> · <bdi>{reason}</bdi>
          </p>
        ) : (
          <ResolveDialog entry={entry} />
        )}
      </div>
    </li>
  );
}

function ResolveDialog({ entry }: { entry: OfflineEntry }) {
  const t = useTranslations("offline");
  return (
    <FormDialog
      trigger={{ children: t("resolve") }}
      title={t("resolve")}
      description={t(`why.${entry.code}`)}
      submit={{ children: t("save") }}
      schema={resolveEntrySchema}
      defaultValues={{ id: entry.id, action: "post", customerId: undefined, reason: "" }}
      action={resolveEntryAction}
    >
      <SelectField
        name="action"
        label={t("action")}
        options={RESOLUTIONS.map((value) => ({ value, label: t(`resolutions.${value}`) }))}
      />
      <MoveTo />
      <TextareaField name="reason" label={t("because")} maxLength={500} />
    </FormDialog>
  );
}

function MoveTo() {
  const t = useTranslations("offline");
  const { setValue } = useFormContext();
  const moves = useWatch({ name: "action" }) === "move";
  // A hidden field must not be sent.
  useEffect(() => {
    if (!moves) setValue("customerId", undefined);
  }, [moves, setValue]);
  if (!moves) return null;
  return <TextField name="customerId" label={t("moveTo")} autoComplete="off" />;
}
