import { ArchiveIcon, CircleCheckIcon, ClockIcon, LockIcon, TabletSmartphoneIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { branchOptions } from "@/app/_panels/branches";
import { filterBy, readList } from "@/app/_panels/read-list";
import type { Column } from "@/components/data/data-table";
import { ListPage } from "@/components/data/list-page";
import { BranchName } from "@/components/data/names";
import { RelativeTime } from "@/components/data/relative-time";
import { StateBadge } from "@/components/data/status-badge";
import type { Option } from "@/components/forms/choice-fields";
import { AddTill, TillMenu } from "@/components/tills/tills";
import { pageContext, pageTitle, type SearchParams } from "@/lib/api/page";
import { formatDate } from "@/lib/domain/time";
import { type Till, tillsSchema } from "@/lib/tills/model/till";
import { listTills } from "@/lib/tills/tills";

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

async function tillColumns(branches: readonly Option[]): Promise<Column<Till>[]> {
  const t = await getTranslations("tills");
  const locale = await getLocale();
  return [
    { header: t("name"), primary: true, cell: (till) => <bdi>{till.name}</bdi> },
    { header: t("branch"), phone: "line", cell: (till) => <BranchName of={till.branch} /> },
    { header: t("state"), phone: "aside", cell: (till) => <TillState till={till} /> },
    {
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
    { header: t("since"), wide: true, cell: (till) => formatDate(till.createdAt, locale) },
    {
      header: t("actions"),
      actions: true,
      cell: (till) => (till.retiredAt ? null : <TillMenu till={till} branches={branches} />),
    },
  ];
}

export const generateMetadata = pageTitle("panels.titles.tills");

export default async function TillsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listTills);
  const { list } = await readList(tillsSchema, searchParams, (query) => listTills(ctx, query));
  const branches = await branchOptions(ctx, { state: "open" });
  const t = await getTranslations("tills");
  return (
    <ListPage
      list={list}
      // The button shows the code of the first till: one in an empty list would go with it.
      filters={{
        fields: [
          filterBy(
            "state",
            t("state"),
            ["retired", "all"],
            (value) => t(`states.${value}`),
            t("states.in_use"),
          ),
          { name: "branchId", label: t("branch"), options: branches },
        ],
        actions: <AddTill branches={branches} />,
      }}
      caption={t("caption")}
      columns={await tillColumns(branches)}
      of="tills"
      icon={TabletSmartphoneIcon}
    />
  );
}
