import { WebhookIcon } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { branchOptions } from "@/app/_panels/branches";
import type { Column } from "@/components/data/data-table";
import { ListFrame } from "@/components/data/list-frame";
import { BranchName } from "@/components/data/names";
import { PageHeader } from "@/components/data/page-header";
import { RelativeTime } from "@/components/data/relative-time";
import { deferRead, StreamedTable } from "@/components/data/streamed";
import type { Option } from "@/components/forms/choice-fields";
import { EndpointBadge } from "@/components/webhooks/deliveries-table";
import { AddWebhook, WebhookMenu } from "@/components/webhooks/webhook-actions";
import { pageContext, pageQuery, pageTitle, type SearchParams } from "@/lib/api/page";
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
  const query = await pageQuery(webhooksSchema, searchParams);
  const list = deferRead(listWebhooks(ctx, query));
  const branches = await branchOptions(ctx, { state: "open" });
  const t = await getTranslations("webhooks");
  return (
    <ListFrame>
      <PageHeader
        title={t("title")}
        description={t("text")}
        back={{ href: "/merchant/settings/integrations", label: t("back") }}
        actions={<AddWebhook branches={branches} />}
      />
      <StreamedTable
        data={list}
        caption={t("caption")}
        columns={await endpointColumns(branches)}
        rowHref={({ id }) => `/merchant/settings/integrations/webhooks/${id}`}
        of="webhooks"
        icon={WebhookIcon}
      />
    </ListFrame>
  );
}
