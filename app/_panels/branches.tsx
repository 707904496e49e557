import { ArchiveIcon, CircleCheckIcon, MapPinIcon } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { AddBranch, BranchMenu } from "@/components/branches/branch-actions";
import type { Column } from "@/components/data/data-table";
import { ListPage } from "@/components/data/list-page";
import { BranchName, MerchantName } from "@/components/data/names";
import { Badge } from "@/components/ui/badge";
import { type PageContext, pageContext, pageTitle, type SearchParams } from "@/lib/api/page";
import { listBranches, listOutlets } from "@/lib/branches/branches";
import { branchListSchema } from "@/lib/branches/model";
import type { Branch } from "@/lib/branches/names";
import { branchName } from "@/lib/domain/localized-names";
import { formatCount } from "@/lib/domain/money";
import { formatDate } from "@/lib/domain/time";
import { merchantOptions } from "@/lib/merchants/read-merchants";
import { filterBy, readList } from "./read-list";

async function branchColumns(withMerchant: boolean): Promise<(Column<Branch> | false)[]> {
  const t = await getTranslations("branches");
  const locale = await getLocale();
  return [
    {
      header: t("name"),
      sort: "name",
      primary: true,
      cell: (branch) => <BranchName of={branch} />,
    },
    withMerchant && {
      header: t("merchant"),
      sort: "merchant",
      cell: (branch) => <MerchantName of={branch.merchant} />,
    },
    { header: t("city"), phone: "line", cell: (branch) => <bdi>{branch.city}</bdi> },
    {
      header: t("workers"),
      align: "end",
      // Beside the merchant and the city, a phone has no room for it.
      wide: withMerchant,
      cell: (branch) => formatCount(branch.workers),
    },
    {
      header: t("state"),
      phone: "aside",
      cell: (branch) => (
        <Badge variant={branch.archivedAt ? "secondary" : "success"}>
          {branch.archivedAt ? <ArchiveIcon aria-hidden /> : <CircleCheckIcon aria-hidden />}
          {branch.archivedAt ? t("states.archived") : t("states.open")}
        </Badge>
      ),
    },
    {
      header: t("since"),
      sort: "added",
      wide: true,
      cell: (branch) => formatDate(branch.createdAt, locale),
    },
    {
      header: t("actions"),
      actions: true,
      cell: (branch) => <BranchMenu branch={branch} ofOutlet={withMerchant} />,
    },
  ];
}

export const branchesMetadata = pageTitle("panels.titles.branches");
export const outletsMetadata = pageTitle("panels.titles.outlets");

const pageOf =
  (read: typeof listBranches) =>
  async ({ searchParams }: { searchParams: SearchParams }) => {
    const ctx = await pageContext(read);
    const { query, list } = await readList(branchListSchema, searchParams, (asked) => read(ctx, asked));
    const merchants = read === listOutlets ? await merchantOptions(ctx, query) : null;
    const t = await getTranslations("branches");
    const add = <AddBranch merchants={merchants} />;
    const states = filterBy("state", t("state"), ["open", "archived"], (value) => t(`states.${value}`));
    const byMerchant = { name: "merchantId", label: t("merchant"), options: merchants ?? [] };
    const byName = ["name", t("name")] as const;
    return (
      <ListPage
        list={list}
        filters={{
          search: merchants ? t("searchOutlets") : t("search"),
          fields: merchants ? [byMerchant, states] : [states],
          actions: add,
        }}
        sorts={{ time: "added", by: merchants ? [byName, ["merchant", t("merchant")]] : [byName] }}
        caption={t("caption")}
        columns={await branchColumns(merchants !== null)}
        of="branches"
        icon={MapPinIcon}
        add={add}
      />
    );
  };

export const BranchesPage = pageOf(listBranches);

/** The branches of all merchants, which administrators call outlets. */
export const OutletsPage = pageOf(listOutlets);

/** The branches of the user's merchant, or of a named one, by their names: the options of a select. */
export async function branchOptions(ctx: PageContext, where: { state: "open" | "all"; merchantId?: string }) {
  const { results } = await listBranches(ctx, { ...where, limit: 100, sort: "name" });
  return results.map((branch) => ({ value: branch.id, label: branchName(branch, ctx.locale) }));
}
