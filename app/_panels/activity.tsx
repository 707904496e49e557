import { HistoryIcon } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import type { Column } from "@/components/data/data-table";
import { ExportLink } from "@/components/data/export-link";
import { ListPage } from "@/components/data/list-page";
import { MerchantName } from "@/components/data/names";
import { RelativeTime } from "@/components/data/relative-time";
import { ACTIVITY_KINDS, type Activity, type ActivityKind, activitySchema } from "@/lib/activity/model";
import { activityOptions, listActivity } from "@/lib/activity/read-activity";
import { pageContext, pageTitle, type SearchParams } from "@/lib/api/page";
import { PANELS } from "@/lib/domain/panels";
import { activityActor, activityText } from "@/lib/i18n/activity";
import { customerChip } from "./customer-chip";
import { asOptions, filterBy, readList } from "./read-list";

async function activityColumns(withMerchant: boolean): Promise<(Column<Activity> | false)[]> {
  const t = await getTranslations("activity");
  const locale = await getLocale();
  return [
    {
      header: t("what"),
      primary: true,
      className: "prose",
      cell: (entry) => {
        const text = activityText(locale, entry);
        const who = activityActor(locale, entry);
        if (!text.startsWith(who)) return <span>{text}</span>;
        return (
          <span>
            <b>{who}</b>
            {text.slice(who.length)}
          </span>
        );
      },
    },
    {
      header: t("kind"),
      wide: true,
      extra: true,
      cell: ({ action }) => t(`kinds.${action.split(".")[0] as ActivityKind}`),
    },
    withMerchant && {
      header: t("merchant"),
      cell: ({ merchant }) => merchant && <MerchantName of={merchant} />,
    },
    {
      header: t("place"),
      // Beside a merchant's name a phone has no room for it.
      phone: withMerchant ? "below" : "line",
      cell: ({ address, device }) => <Place address={address} device={device} />,
    },
    {
      header: t("time"),
      align: "end",
      cell: ({ createdAt }) => <RelativeTime date={createdAt} />,
    },
  ];
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

export const generateMetadata = pageTitle("panels.titles.activity");

/** The audit log in the user's scope, with the filters in the URL. */
export async function ActivityPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(activityOptions);
  const { query, list } = await readList(activitySchema, searchParams, (asked) => listActivity(ctx, asked));
  const [options, chips, t] = await Promise.all([
    activityOptions(ctx, { merchantId: query.merchantId }),
    customerChip(ctx, query.customerId),
    getTranslations("activity"),
  ]);
  const fields = [
    filterBy("kind", t("kind"), ACTIVITY_KINDS, (value) => t(`kinds.${value}`)),
    options.merchants.length > 0 && {
      name: "merchantId",
      label: t("merchant"),
      options: asOptions(options.merchants),
      clears: ["actorId"],
    },
    { name: "actorId", label: t("person"), options: asOptions(options.people) },
  ];
  return (
    <ListPage
      list={list}
      filters={{
        range: t("days"),
        fields: fields.filter((field) => field !== false),
        chips,
        actions: (
          <ExportLink path={`/${PANELS[ctx.actor.role].segment}/activity/export`} query={query}>
            {t("export")}
          </ExportLink>
        ),
      }}
      caption={t("caption")}
      columns={await activityColumns(ctx.actor.merchantId === null)}
      of="activity"
      icon={HistoryIcon}
    />
  );
}
