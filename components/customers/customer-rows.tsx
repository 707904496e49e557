"use client";

import { BanIcon, CircleCheckIcon, CircleUserIcon, CopyIcon, ReceiptTextIcon, XIcon } from "lucide-react";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { blockCustomersAction } from "@/app/_panels/actions";
import { RowMenu } from "@/components/data/action-menu";
import { useCopyAndTell } from "@/components/data/copy-button";
import { type Column, DataTable } from "@/components/data/data-table";
import { Money } from "@/components/data/money";
import type { ListOrder } from "@/components/data/order";
import { FormDialog } from "@/components/forms/form-dialog";
import { TextareaField } from "@/components/forms/text-fields";
import { Button } from "@/components/ui/button";
import { DropdownMenuItem } from "@/components/ui/dropdown-menu";
import type { CustomerStatus } from "@/lib/customers/model/customers";
import { formatQar } from "@/lib/domain/money";
import { CustomerStatusBadge, StaffCardBadge } from "./customer-badges";

/** The fields of a customer that cells show, and no others: a browser gets each row a second time as data. */
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

type Rows = readonly CustomerRow[];

// More names would hide the question.
const MOST_NAMES = 6;

// Without it the list loads no zod.
const loadSchema = async () =>
  (await import("@/lib/customers/model/customers")).blockCustomersSchema.pick({ reason: true });

function BulkDialog({ rows, status, done }: { rows: Rows; status: "active" | "blocked"; done: () => void }) {
  const t = useTranslations("customers.bulk");
  const blocks = status === "blocked";
  const count = rows.length;
  const action = t(blocks ? "block" : "unblock", { count });
  // The browser's Back and Forward change the choice: the cards that are named are the ones that are sent.
  const customerIds = rows.map(({ id }) => id);
  return (
    <FormDialog
      trigger={{ icon: blocks ? BanIcon : CircleCheckIcon, children: action }}
      title={t(blocks ? "blockTitle" : "unblockTitle", { count })}
      description={t(blocks ? "blockText" : "unblockText")}
      schema={loadSchema}
      action={({ reason }: { reason: string }) => blockCustomersAction({ customerIds, status, reason })}
      defaultValues={{ reason: "" }}
      submit={{ children: action, variant: blocks ? "destructive" : "default" }}
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

function BulkBar({ rows, clear }: { rows: Rows; clear: () => void }) {
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
      {(["active", "blocked"] as const).map((from) => {
        const those = rows.filter(({ status }) => status === from);
        const to = from === "active" ? "blocked" : "active";
        return those.length > 0 && <BulkDialog key={to} rows={those} status={to} done={clear} />;
      })}
      <Button variant="ghost" size="icon" aria-label={t("clear")} onClick={clear}>
        <XIcon aria-hidden />
      </Button>
    </div>
  );
}

function MenuEntries({ row: { id, email }, base }: { row: CustomerRow; base: string }) {
  const t = useTranslations("customers");
  const copy = useCopyAndTell();
  return (
    <>
      <DropdownMenuItem asChild>
        <Link href={`${base}/customers/${id}`}>
          <CircleUserIcon aria-hidden /> {t("open")}
        </Link>
      </DropdownMenuItem>
      <DropdownMenuItem asChild>
        <Link href={`${base}/transactions?customerId=${id}`}>
          <ReceiptTextIcon aria-hidden /> {t("transactions")}
        </Link>
      </DropdownMenuItem>
      {email && (
        <DropdownMenuItem onSelect={() => copy(email)}>
          <CopyIcon aria-hidden /> {t("copyEmail")}
        </DropdownMenuItem>
      )}
    </>
  );
}

type CustomerRowsProps = {
  rows: Rows;
  base: string;
  withMerchant: boolean;
  order: ListOrder;
};

/** The rows of the list of customers. Several may be chosen, to block or unblock their cards together. */
export function CustomerRows({ rows, base, withMerchant, order }: CustomerRowsProps) {
  const t = useTranslations("customers");
  const locale = useLocale();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const choose = (id: string, on: boolean) =>
    setChosen((before) => new Set(on ? [...before, id] : [...before].filter((one) => one !== id)));
  const columns: (Column<CustomerRow> | false)[] = [
    {
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
      header: t("name"),
      sort: "name",
      primary: true,
      cell: ({ name }) => <bdi>{name}</bdi>,
    },
    {
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
      header: t("merchant"),
      phone: "line",
      cell: ({ merchant }) => <bdi>{merchant}</bdi>,
    },
    {
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
      header: t("since"),
      sort: "joined",
      wide: true,
      extra: withMerchant,
      cell: ({ since }) => since,
    },
    {
      header: t("actions"),
      actions: true,
      cell: (row) => (
        <RowMenu label={t("actionsOf", { name: row.name })}>
          <MenuEntries row={row} base={base} />
        </RowMenu>
      ),
    },
  ];
  const present = rows.filter(({ id }) => chosen.has(id));
  return (
    <>
      <DataTable
        caption={t("caption")}
        columns={columns}
        rows={rows}
        order={order}
        rowHref={({ id }) => `${base}/customers/${id}`}
        empty={null}
      />
      {present.length > 0 && <BulkBar rows={present} clear={() => setChosen(new Set())} />}
    </>
  );
}
