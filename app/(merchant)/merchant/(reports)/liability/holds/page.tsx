import { getTranslations } from "next-intl/server";
import { FilterBar } from "@/components/data/filter-bar";
import { ListFrame } from "@/components/data/list-frame";
import { PageHeader } from "@/components/data/page-header";
import { deferRead } from "@/components/data/streamed";
import { StreamedList } from "@/components/data/streamed-list";
import { HoldsTable } from "@/components/holds/holds-table";
import { pageContext, pageQuery, type SearchParams } from "@/lib/api/page";
import { listApiKeys } from "@/lib/api-keys/read-keys";
import { listBranches } from "@/lib/branches/read-branches";
import { branchName } from "@/lib/domain/branch-name";
import { HOLD_STATES, holdListSchema } from "@/lib/holds/model";
import { listHolds } from "@/lib/holds/read-holds";
import { pageTitle } from "@/lib/i18n/page-title";
import { viewConfig } from "@/lib/points-config/read-config";

export const generateMetadata = pageTitle("holds.title");

/** The holds of the owner's merchant, the open ones by default, by branch, API key and state. */
export default async function HoldsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listHolds);
  const { state, ...query } = await pageQuery(holdListSchema, searchParams);
  const list = deferRead(listHolds(ctx, { ...query, ...(state !== "all" && { state }) }));
  const [branches, keys, rules, t] = await Promise.all([
    listBranches(ctx, { state: "all", limit: 100, sort: "name" }),
    listApiKeys(ctx, { state: "all", limit: 100 }),
    viewConfig(ctx, {}),
    getTranslations("holds"),
  ]);
  return (
    <ListFrame>
      <PageHeader
        title={t("title")}
        description={t("text")}
        back={{ href: "/merchant/liability", label: t("back") }}
      />
      <FilterBar
        fields={[
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
          {
            name: "branchId",
            label: t("branch"),
            options: branches.results.map((one) => ({ value: one.id, label: branchName(one, ctx.locale) })),
          },
          {
            name: "keyId",
            label: t("key"),
            options: keys.results.map(({ id, name }) => ({ value: id, label: name })),
          },
        ]}
      />
      <StreamedList data={list}>
        {(page) => (
          <HoldsTable
            holds={page.results}
            now={ctx.clock()}
            rate={rules.dirhamsPerPoint}
            filtered={state !== "open" || Boolean(query.branchId ?? query.keyId ?? query.cursor)}
          />
        )}
      </StreamedList>
    </ListFrame>
  );
}
