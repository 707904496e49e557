import { WebhookIcon } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { branchOptions } from "@/app/_panels/branches";
import { readList } from "@/app/_panels/read-list";
import type { Column } from "@/components/data/data-table";
import { ListPage } from "@/components/data/list-page";
import { BranchName } from "@/components/data/names";
import { PageHeader } from "@/components/data/page-header";
import { RelativeTime } from "@/components/data/relative-time";
import type { Option } from "@/components/forms/choice-fields";
import { EndpointBadge } from "@/components/webhooks/deliveries-table";
import { AddWebhook, WebhookMenu } from "@/components/webhooks/webhook-actions";
import { pageContext, pageTitle, type SearchParams } from "@/lib/api/page";
import { webhooksSchema } from "@/lib/webhooks/model";
import type { Endpoint } from "@/lib/webhooks/names";
import { listWebhooks } from "@/lib/webhooks/webhooks";

async function endpointColumns(branches: readonly Option[]): Promise<Column<Endpoint>[]> {
  const t = await getTranslations("webhooks");
  return [
    {
      header: t("url"),
      primary: true,
      cell: ({ url }) => (
        <bdi dir="ltr" className="break-all">
          {url}
        </bdi>
      ),
    },
    {
      header: t("events"),
      phone: "below",
      className: "whitespace-normal",
      cell: ({ events, branch }) => (
        <>
          {t("eventCount", { count: events.length })}
          {branch && (
            <>
              {" — "}
              <BranchName of={branch} />
            </>
          )}
        </>
      ),
    },
    {
      header: t("accepted"),
      cell: ({ succeededAt }) => (succeededAt ? <RelativeTime date={succeededAt} /> : t("never")),
    },
    {
      header: t("state"),
      phone: "aside",
      cell: ({ state }) => <EndpointBadge state={state} />,
    },
    {
      header: t("actions"),
      actions: true,
      cell: (endpoint) => <WebhookMenu endpoint={endpoint} branches={branches} />,
    },
  ];
}

export const generateMetadata = pageTitle("panels.titles.webhooks");

export default async function WebhooksPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listWebhooks);
  const { list } = await readList(webhooksSchema, searchParams, (query) => listWebhooks(ctx, query));
  const branches = await branchOptions(ctx, { state: "open" });
  const t = await getTranslations("webhooks");
  return (
    <ListPage
      list={list}
      head={
        <PageHeader
          title={t("title")}
          description={t("text")}
          back={{ href: "/merchant/settings/integrations", label: t("back") }}
          actions={<AddWebhook branches={branches} />}
        />
      }
      caption={t("caption")}
      columns={await endpointColumns(branches)}
      rowHref={({ id }) => `/merchant/settings/integrations/webhooks/${id}`}
      of="webhooks"
      icon={WebhookIcon}
    />
  );
}
