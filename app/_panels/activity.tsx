import { HistoryIcon } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { ActivityFilters, ActivityTable } from "@/components/activity/activity-table";
import { ExportLink } from "@/components/data/export-link";
import { ListFrame } from "@/components/data/list-frame";
import { NoneFound } from "@/components/data/none-found";
import { deferRead } from "@/components/data/streamed";
import { StreamedList } from "@/components/data/streamed-list";
import { EmptyState } from "@/components/ui/empty";
import { activitySchema } from "@/lib/activity/model";
import { activityOptions, listActivity } from "@/lib/activity/read-activity";
import { pageContext, pageQuery, type SearchParams } from "@/lib/api/page";
import { PANELS } from "@/lib/domain/panels";
import { activityActor, activityText } from "@/lib/i18n/activity";
import { pageTitle } from "@/lib/i18n/page-title";
import { customerChip } from "./customer-chip";

export const activityMetadata = pageTitle("panels.titles.activity");

/** The audit log in the user's scope, with the filters in the URL. */
export async function ActivityPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(activityOptions);
  const query = await pageQuery(activitySchema, searchParams);
  const { cursor, limit: _, ...filter } = query;
  const list = deferRead(listActivity(ctx, query));
  const [options, chips, t] = await Promise.all([
    activityOptions(ctx, { merchantId: filter.merchantId }),
    customerChip(ctx, filter.customerId),
    getTranslations("activity"),
  ]);
  const exportPath = `/${PANELS[ctx.actor.role].segment}/activity/export`;
  const filtered = Object.values({ ...filter, cursor }).some(Boolean);
  return (
    <ListFrame>
      <ActivityFilters
        options={options}
        chips={chips}
        exportLink={
          <ExportLink path={exportPath} query={filter}>
            {t("export")}
          </ExportLink>
        }
      />
      <StreamedList data={list}>
        {(page) => (
          <ActivityTable
            rows={page.results.map((entry) => ({
              ...entry,
              text: activityText(ctx.locale, entry),
              who: activityActor(ctx.locale, entry),
            }))}
            withMerchant={ctx.actor.merchantId === null}
            empty={
              filtered ? (
                <NoneFound
                  icon={HistoryIcon}
                  backwards={Boolean(query.from && query.to && query.from > query.to)}
                />
              ) : (
                <EmptyState icon={HistoryIcon} title={t("none")} description={t("noneText")} />
              )
            }
          />
        )}
      </StreamedList>
    </ListFrame>
  );
}
