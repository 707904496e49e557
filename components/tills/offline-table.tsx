"use client";

import { InboxIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import type { z } from "zod";
import { type Column, DataTable } from "@/components/data/data-table";
import { NoneFound } from "@/components/data/none-found";
import { SelectField } from "@/components/forms/choice-fields";
import { FormDialog } from "@/components/forms/form-dialog";
import { TextareaField, TextField } from "@/components/forms/text-fields";
import { EmptyState } from "@/components/ui/empty";
import type { ActionResult } from "@/lib/domain/errors";
import { formatPoints } from "@/lib/domain/money";
import { type OfflineEntry, RESOLUTIONS, resolveEntrySchema } from "@/lib/domain/offline";
import type { Locale } from "@/lib/domain/roles";
import { formatDateTime } from "@/lib/domain/time";

type ResolveAction = (input: z.input<typeof resolveEntrySchema>) => Promise<ActionResult<OfflineEntry>>;

/** The owner's inbox of what tills kept without a connection, each entry with what to do. */
export function OfflineTable({
  entries,
  filtered,
  resolve,
}: {
  entries: readonly OfflineEntry[];
  filtered: boolean;
  resolve: ResolveAction;
}) {
  const t = useTranslations("offline");
  const locale = useLocale() as Locale;
  const columns: Column<OfflineEntry>[] = [
    {
      key: "customer",
      header: t("customer"),
      primary: true,
      cell: (entry) => <bdi>{entry.customer?.fullName ?? t("unknownCustomer")}</bdi>,
    },
    {
      key: "points",
      header: t("amount"),
      align: "end",
      phone: "aside",
      cell: (entry) => formatPoints(entry.points, locale),
    },
    {
      key: "till",
      header: t("till"),
      phone: "line",
      cell: (entry) => (
        <>
          <bdi>
            {entry.till.name} · {entry.worker.name}
          </bdi>
          {entry.sentBy.id !== entry.worker.id && (
            <span className="block text-muted-foreground text-sm">
              {t.rich("sentBy", { name: () => <bdi>{entry.sentBy.name}</bdi> })}
            </span>
          )}
        </>
      ),
    },
    { key: "occurred", header: t("occurred"), cell: (entry) => formatDateTime(entry.occurredAt, locale) },
    {
      key: "why",
      header: t("reason"),
      cell: (entry) => <span className="text-sm">{t(`why.${entry.code}`)}</span>,
    },
    {
      key: "actions",
      header: t("actions"),
      actions: true,
      cell: (entry) =>
        entry.resolution ? (
          <span className="text-muted-foreground text-sm">
            {t(`resolved.${entry.resolution}`)} · <bdi>{entry.resolvedBy?.name}</bdi>
          </span>
        ) : (
          <ResolveDialog entry={entry} resolve={resolve} />
        ),
    },
  ];
  return (
    <DataTable
      caption={t("caption")}
      columns={columns}
      rows={entries}
      rowKey={(entry) => entry.id}
      empty={
        filtered ? (
          <NoneFound icon={InboxIcon} />
        ) : (
          <EmptyState icon={InboxIcon} title={t("none")} description={t("noneText")} />
        )
      }
    />
  );
}

function ResolveDialog({ entry, resolve }: { entry: OfflineEntry; resolve: ResolveAction }) {
  const t = useTranslations("offline");
  return (
    <FormDialog
      trigger={{ size: "sm", children: t("resolve") }}
      title={t("resolve")}
      description={t(`why.${entry.code}`)}
      submit={{ children: t("save") }}
      schema={resolveEntrySchema}
      defaultValues={{ id: entry.id, action: "post", customerId: undefined, reason: "" }}
      action={resolve}
    >
      <SelectField
        name="action"
        label={t("action")}
        options={RESOLUTIONS.map((value) => ({ value, label: t(`resolutions.${value}`) }))}
      />
      <TextField name="customerId" label={t("moveTo")} hint={t("moveToHint")} autoComplete="off" />
      <TextareaField name="reason" label={t("because")} maxLength={500} />
    </FormDialog>
  );
}
