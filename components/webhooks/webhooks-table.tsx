import { WebhookIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type Column, DataTable } from "@/components/data/data-table";
import { BranchName } from "@/components/data/names";
import { RelativeTime } from "@/components/data/relative-time";
import type { Option } from "@/components/forms/choice-fields";
import { EmptyState } from "@/components/ui/empty";
import type { Endpoint } from "@/lib/webhooks/model";
import { EndpointBadge } from "./deliveries-table";
import { WebhookMenu } from "./webhook-actions";

/** A page of webhooks, each with the way to its log and what can be done to it. */
export function WebhooksTable({
  endpoints,
  branches,
}: {
  endpoints: readonly Endpoint[];
  branches: readonly Option[];
}) {
  const t = useTranslations("webhooks");
  const columns: Column<Endpoint>[] = [
    {
      key: "url",
      header: t("url"),
      primary: true,
      cell: ({ url }) => (
        <bdi dir="ltr" className="break-all">
          {url}
        </bdi>
      ),
    },
    {
      key: "events",
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
      key: "accepted",
      header: t("accepted"),
      phone: "line",
      cell: ({ succeededAt }) => (succeededAt ? <RelativeTime date={succeededAt} /> : t("never")),
    },
    {
      key: "state",
      header: t("state"),
      phone: "aside",
      cell: ({ state }) => <EndpointBadge state={state} />,
    },
    {
      key: "actions",
      header: t("actions"),
      actions: true,
      cell: (endpoint) => <WebhookMenu endpoint={endpoint} branches={branches} />,
    },
  ];
  return (
    <DataTable
      caption={t("caption")}
      columns={columns}
      rows={endpoints}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/merchant/settings/integrations/webhooks/${id}`}
      empty={<EmptyState icon={WebhookIcon} title={t("none")} description={t("noneText")} />}
    />
  );
}
