import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { type Column, DataTable } from "@/components/data/data-table";
import { type Chip, FilterBar } from "@/components/data/filter-bar";
import { MerchantName } from "@/components/data/merchant-name";
import { RelativeTime } from "@/components/data/relative-time";
import { ACTIVITY_KINDS, type Activity, type ActivityKind } from "@/lib/activity/model";
import type { Choice } from "@/lib/domain/paging";

/** An entry with its sentence in the reader's language, and who did it, as the sentence says it. */
export type ActivityRow = Activity & { text: string; who: string };

/** The audit log as a list: what was done, from where and when. */
export function ActivityTable({
  rows,
  withMerchant,
  empty,
}: {
  rows: readonly ActivityRow[];
  withMerchant: boolean;
  empty: ReactNode;
}) {
  const t = useTranslations("activity");
  const columns: (Column<ActivityRow> | false)[] = [
    {
      key: "what",
      header: t("what"),
      primary: true,
      className: "prose",
      cell: ({ text, who }) =>
        text.startsWith(who) ? (
          <span>
            <b>{who}</b>
            {text.slice(who.length)}
          </span>
        ) : (
          <span>{text}</span>
        ),
    },
    {
      key: "kind",
      header: t("kind"),
      wide: true,
      extra: true,
      cell: ({ action }) => t(`kinds.${action.split(".")[0] as ActivityKind}`),
    },
    withMerchant && {
      key: "merchant",
      header: t("merchant"),
      phone: "line",
      cell: ({ merchant }) => merchant && <MerchantName of={merchant} />,
    },
    {
      key: "place",
      header: t("place"),
      phone: "line",
      cell: ({ address, device }) => <Place address={address} device={device} />,
    },
    {
      key: "time",
      header: t("time"),
      align: "end",
      phone: "line",
      cell: ({ createdAt }) => <RelativeTime date={createdAt} />,
    },
  ];
  return (
    <DataTable
      caption={t("caption")}
      columns={columns.filter((column) => column !== false)}
      rows={rows}
      rowKey={({ id }) => id}
      empty={empty}
    />
  );
}

function Place({ address, device }: Pick<Activity, "address" | "device">) {
  if (!address && !device) return null;
  return (
    <span className="place">
      {address && <bdi>{address}</bdi>}
      {address && device && " · "}
      {device && <bdi>{device}</bdi>}
    </span>
  );
}

const asOptions = (choices: Choice[]) => choices.map(({ id, name }) => ({ value: id, label: name }));

/** The filters of the activity, all kept in the URL. */
export function ActivityFilters({
  options,
  chips,
  exportLink,
}: {
  options: { merchants: Choice[]; people: Choice[] };
  chips: readonly Chip[];
  exportLink: ReactNode;
}) {
  const t = useTranslations("activity");
  const fields = [
    {
      name: "kind",
      label: t("kind"),
      options: ACTIVITY_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) })),
    },
    options.merchants.length > 0 && {
      name: "merchantId",
      label: t("merchant"),
      options: asOptions(options.merchants),
      clears: ["actorId"],
    },
    { name: "actorId", label: t("person"), options: asOptions(options.people) },
  ];
  return (
    <FilterBar
      range={t("days")}
      fields={fields.filter((field) => field !== false)}
      chips={chips}
      actions={exportLink}
    />
  );
}
