"use client";

import { ArchiveIcon, CircleCheckIcon, ClockIcon, LockIcon, TabletSmartphoneIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { BranchName } from "@/components/data/branch-name";
import { type Column, DataTable } from "@/components/data/data-table";
import { NoneFound } from "@/components/data/none-found";
import { RelativeTime } from "@/components/data/relative-time";
import { StateBadge } from "@/components/data/status-badge";
import { EmptyState } from "@/components/ui/empty";
import { formatDate } from "@/lib/domain/time";
import type { Till } from "@/lib/tills/model/till";
import { TillMenu, type TillMenuProps } from "./till-actions";

/** A page of tills with what can be done to each. */
export function TillsTable({
  tills,
  filtered,
  ...actions
}: Omit<TillMenuProps, "till"> & { tills: readonly Till[]; filtered: boolean }) {
  const t = useTranslations("tills");
  const locale = useLocale();
  const columns: Column<Till>[] = [
    { key: "name", header: t("name"), primary: true, cell: (till) => <bdi>{till.name}</bdi> },
    { key: "branch", header: t("branch"), phone: "line", cell: (till) => <BranchName of={till.branch} /> },
    { key: "state", header: t("state"), phone: "aside", cell: (till) => <TillState till={till} /> },
    {
      key: "contact",
      header: t("contact"),
      phone: "line",
      cell: ({ lastContact }) =>
        lastContact && (
          <span className="names">
            <RelativeTime date={lastContact.at} />
            <span className="staff">
              <bdi>{lastContact.by}</bdi>
            </span>
          </span>
        ),
    },
    { key: "since", header: t("since"), wide: true, cell: (till) => formatDate(till.createdAt, locale) },
    {
      key: "actions",
      header: t("actions"),
      actions: true,
      cell: (till) => (till.retiredAt ? null : <TillMenu till={till} {...actions} />),
    },
  ];
  return (
    <DataTable
      caption={t("caption")}
      columns={columns}
      rows={tills}
      rowKey={(till) => till.id}
      empty={
        filtered ? (
          <NoneFound icon={TabletSmartphoneIcon} />
        ) : (
          // The button above shows the code of the first till: one in here would go with the empty list.
          <EmptyState icon={TabletSmartphoneIcon} title={t("none")} description={t("noneText")} />
        )
      }
    />
  );
}

const STATES = {
  retired: { variant: "secondary", Icon: ArchiveIcon },
  pinLocked: { variant: "destructive", Icon: LockIcon },
  paired: { variant: "success", Icon: CircleCheckIcon },
  unpaired: { variant: "secondary", Icon: ClockIcon },
} as const;

function TillState({ till }: { till: Till }) {
  const t = useTranslations("tills.states");
  const inUse = till.pairedAt ? "paired" : "unpaired";
  const state = till.retiredAt ? "retired" : till.pinLockedAt ? "pinLocked" : inUse;
  return <StateBadge of={STATES[state]}>{t(state)}</StateBadge>;
}
