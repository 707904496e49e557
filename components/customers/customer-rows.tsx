"use client";

import { BanIcon, CircleCheckIcon, XIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { type Column, DataTable } from "@/components/data/data-table";
import { Money } from "@/components/data/money";
import type { ListOrder } from "@/components/data/order";
import { RowMenu } from "@/components/data/row-menu";
import { Button } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/dialog-button";
import type { CustomerStatus } from "@/lib/customers/model/customers";
import { formatQar } from "@/lib/domain/money";
import { CustomerStatusBadge, StaffCardBadge } from "./customer-badges";

/**
 * The fields of a customer that the list shows. A browser gets each row a second time as data, so a row
 * carries only fields that a cell shows.
 */
export type CustomerRow = {
  id: string;
  name: string;
  phone?: string;
  email?: string;
  merchant?: string;
  balance: number;
  /** In QAR, such as "350.00". */
  value: string;
  /** How much of it holds reserve, in QAR. */
  held?: string;
  status: CustomerStatus;
  staff?: true;
  since: string;
};

const load = () => import("./bulk-dialog");

const BULK_ACTIONS = [
  { from: "active", to: "blocked", Icon: BanIcon, label: "block" },
  { from: "blocked", to: "active", Icon: CircleCheckIcon, label: "unblock" },
] as const;

/** The actions for the chosen customers, at the bottom of the window. */
function BulkBar({ rows, clear }: { rows: readonly CustomerRow[]; clear: () => void }) {
  const t = useTranslations("customers.bulk");
  return (
    <div
      role="toolbar"
      aria-label={t("label")}
      className="sticky bottom-[calc(1rem+var(--bar,0px))] z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-xl border bg-popover p-2 ps-4 shadow-lg"
    >
      <span className="me-2 font-medium text-sm" aria-live="polite">
        {t("chosen", { count: rows.length })}
      </span>
      {BULK_ACTIONS.map(({ from, to, Icon, label }) => {
        const those = rows.filter(({ status }) => status === from);
        if (those.length === 0) return null;
        const words = (
          <>
            <Icon aria-hidden /> {t(label, { count: those.length })}
          </>
        );
        return (
          <DialogButton
            key={to}
            load={load}
            dialog={({ BulkDialog }) => <BulkDialog rows={those} status={to} done={clear} label={words} />}
            variant="outline"
          >
            {words}
          </DialogButton>
        );
      })}
      <Button variant="ghost" size="icon" aria-label={t("clear")} onClick={clear}>
        <XIcon aria-hidden />
      </Button>
    </div>
  );
}

const loadMenu = () => import("./customer-menu");

/** The rows of CustomersTable. Several may be chosen, to block or unblock their cards together. */
export function CustomerRows({
  rows,
  base,
  withMerchant,
  order,
}: {
  rows: readonly CustomerRow[];
  base: string;
  withMerchant: boolean;
  order: ListOrder;
}) {
  const t = useTranslations("customers");
  const locale = useLocale();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const choose = (id: string, on: boolean) =>
    setChosen((before) => new Set(on ? [...before, id] : [...before].filter((one) => one !== id)));
  const columns: (Column<CustomerRow> | false)[] = [
    {
      key: "pick",
      header: t("choose"),
      pick: true,
      cell: ({ id, name, status }) =>
        (status === "active" || status === "blocked") && (
          <label className="tick">
            <input
              type="checkbox"
              aria-label={t("chooseOne", { name })}
              checked={chosen.has(id)}
              onChange={(event) => choose(id, event.target.checked)}
            />
          </label>
        ),
    },
    {
      key: "name",
      header: t("name"),
      sort: "name",
      primary: true,
      cell: ({ name }) => <bdi>{name}</bdi>,
    },
    {
      key: "contact",
      header: t("contact"),
      phone: "line",
      ...(withMerchant && { className: "least" }),
      cell: ({ phone = "–", email }) => (
        <>
          <bdi dir="ltr" className="phone">
            {phone}
          </bdi>
          {email && (
            <bdi className="sub mail" title={email}>
              {email}
            </bdi>
          )}
        </>
      ),
    },
    withMerchant && {
      key: "merchant",
      header: t("merchant"),
      phone: "line",
      cell: ({ merchant }) => <bdi>{merchant}</bdi>,
    },
    {
      key: "balance",
      header: t("balance"),
      align: "end",
      phone: "aside",
      cell: ({ balance, value, held }) => (
        <>
          <Money points={balance} value={value} layout="stack" />
          {held && <span className="place block">{t("reserved", { amount: formatQar(held, locale) })}</span>}
        </>
      ),
    },
    {
      key: "status",
      header: t("status"),
      phone: "line",
      cell: ({ status, staff }) => (
        <span className={status === "active" && !staff ? "badges calm" : "badges"}>
          <CustomerStatusBadge status={status} />
          {staff && <StaffCardBadge />}
        </span>
      ),
    },
    {
      key: "since",
      header: t("since"),
      sort: "joined",
      wide: true,
      extra: withMerchant,
      cell: ({ since }) => since,
    },
    {
      key: "actions",
      header: t("actions"),
      actions: true,
      cell: (row) => (
        <RowMenu
          label={t("actionsOf", { name: row.name })}
          load={loadMenu}
          menu={({ CustomerMenu }, button) => (
            <CustomerMenu row={row} base={base}>
              {button}
            </CustomerMenu>
          )}
        />
      ),
    },
  ];
  // Rows that are gone after a change of page or filter are no longer selected.
  const present = rows.filter(({ id }) => chosen.has(id));
  return (
    <>
      <DataTable
        caption={t("caption")}
        columns={columns.filter((column) => column !== false)}
        rows={rows}
        order={order}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `${base}/customers/${id}`}
        empty={null}
      />
      {present.length > 0 && <BulkBar rows={present} clear={() => setChosen(new Set())} />}
    </>
  );
}
