import { CircleCheckIcon, HourglassIcon, TimerOffIcon, Undo2Icon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { branchOptions } from "@/app/_panels/branches";
import { asOptions, readList } from "@/app/_panels/read-list";
import { CustomerStatusBadge, StaffCardBadge } from "@/components/customers/customer-badges";
import type { Column } from "@/components/data/data-table";
import { ListPage } from "@/components/data/list-page";
import { Money } from "@/components/data/money";
import { BranchName } from "@/components/data/names";
import { PageHeader } from "@/components/data/page-header";
import { RelativeTime } from "@/components/data/relative-time";
import { StateBadge, type StateLook } from "@/components/data/status-badge";
import { pageContext, pageTitle, type SearchParams } from "@/lib/api/page";
import { listApiKeys } from "@/lib/api-keys/api-keys";
import { cashValue, formatQar } from "@/lib/domain/money";
import { formatUntil } from "@/lib/domain/time";
import { listHolds } from "@/lib/holds/holds";
import { HOLD_STATES, type HoldState, holdListSchema } from "@/lib/holds/model";
import type { Hold } from "@/lib/holds/names";
import { viewConfig } from "@/lib/points-config/read-config";

const STATES: Record<HoldState, StateLook> = {
  open: { variant: "warning", Icon: HourglassIcon },
  captured: { variant: "success", Icon: CircleCheckIcon },
  voided: { variant: "secondary", Icon: Undo2Icon },
  lapsed: { variant: "secondary", Icon: TimerOffIcon },
};

function HoldStanding({ hold, now, rate }: { hold: Hold; now: Date; rate: number }) {
  const t = useTranslations("holds");
  const locale = useLocale();
  const about = [
    hold.state === "open" && t("untilTime", { until: formatUntil(hold.expiresAt, now, locale) }),
    hold.reason && t(`reasons.${hold.reason}`),
    hold.captured > 0 &&
      hold.captured < hold.points &&
      t("taken", { amount: formatQar(cashValue(hold.captured, rate), locale) }),
  ].filter(Boolean);
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <StateBadge of={STATES[hold.state]}>{t(`states.${hold.state}`)}</StateBadge>
      {about.length > 0 && <span className="text-muted-foreground text-xs">{about.join(" · ")}</span>}
      {hold.staffCard && <StaffCardBadge />}
      {hold.customerStatus !== "active" && <CustomerStatusBadge status={hold.customerStatus} />}
    </span>
  );
}

/** `rate`: dirhams per point. */
async function holdColumns(now: Date, rate: number): Promise<Column<Hold>[]> {
  const t = await getTranslations("holds");
  const customers = await getTranslations("customers");
  return [
    {
      header: t("customer"),
      primary: true,
      cell: ({ customer, customerErased }) => (
        <bdi>{customerErased ? customers("erasedName") : customer.fullName}</bdi>
      ),
    },
    {
      header: t("amount"),
      align: "end",
      phone: "aside",
      cell: ({ points }) => <Money points={points} rate={rate} layout="stack" />,
    },
    {
      header: t("place"),
      cell: ({ branch, actor }) => (
        <>
          <BranchName of={branch} /> · <bdi>{actor.name}</bdi>
        </>
      ),
    },
    {
      header: t("state"),
      phone: "below",
      cell: (hold) => <HoldStanding hold={hold} now={now} rate={rate} />,
    },
    {
      header: t("opened"),
      cell: ({ createdAt }) => <RelativeTime date={createdAt} />,
    },
  ];
}

export const generateMetadata = pageTitle("holds.title");

export default async function HoldsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listHolds);
  const { list } = await readList(holdListSchema, searchParams, ({ state, ...query }) =>
    listHolds(ctx, { ...query, ...(state !== "all" && { state }) }),
  );
  const [branches, keys, rules, t] = await Promise.all([
    branchOptions(ctx, { state: "all" }),
    listApiKeys(ctx, { state: "all", limit: 100 }),
    viewConfig(ctx, {}),
    getTranslations("holds"),
  ]);
  return (
    <ListPage
      list={list}
      head={
        <PageHeader
          title={t("title")}
          description={t("text")}
          back={{ href: "/merchant/liability", label: t("back") }}
        />
      }
      filters={{
        fields: [
          {
            name: "state",
            label: t("state"),
            without: t("states.open"),
            options: [
              ...HOLD_STATES.filter((one) => one !== "open").map((value) => ({
                value,
                label: t(`states.${value}`),
              })),
              { value: "all", label: t("all") },
            ],
          },
          { name: "branchId", label: t("branch"), options: branches },
          { name: "keyId", label: t("key"), options: asOptions(keys.results) },
        ],
      }}
      caption={t("title")}
      columns={await holdColumns(ctx.clock(), rules.dirhamsPerPoint)}
      rowHref={({ customer }) => `/merchant/customers/${customer.id}`}
      of="holds"
      icon={HourglassIcon}
    />
  );
}
