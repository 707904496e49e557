import { BanIcon, CircleCheckIcon, KeyRoundIcon, RefreshCwIcon, WebhookIcon } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { branchOptions } from "@/app/_panels/branches";
import { readList } from "@/app/_panels/read-list";
import { AddApiKey, ApiKeyMenu } from "@/components/api-keys/api-keys";
import type { Column } from "@/components/data/data-table";
import { ListPage } from "@/components/data/list-page";
import { BranchName } from "@/components/data/names";
import { PageHeader } from "@/components/data/page-header";
import { RelativeTime } from "@/components/data/relative-time";
import { StateBadge, type StateLook } from "@/components/data/status-badge";
import type { Option } from "@/components/forms/choice-fields";
import { LinkButton } from "@/components/ui/button";
import { pageContext, pageTitle, type SearchParams } from "@/lib/api/page";
import { listApiKeys } from "@/lib/api-keys/api-keys";
import { apiKeysSchema, type KeyState } from "@/lib/api-keys/model";
import type { ApiKey } from "@/lib/api-keys/names";
import { SCOPE_TEXTS } from "@/lib/domain/key-scopes";

const STATES: Record<KeyState, StateLook> = {
  active: { variant: "success", Icon: CircleCheckIcon },
  rotating: { variant: "warning", Icon: RefreshCwIcon },
  revoked: { variant: "secondary", Icon: BanIcon },
};

async function keyColumns(branches: readonly Option[]): Promise<Column<ApiKey>[]> {
  const t = await getTranslations("apiKeys");
  return [
    {
      header: t("name"),
      primary: true,
      cell: ({ name, prefix }) => (
        <span className="names">
          <bdi>{name}</bdi>
          <span className="staff">
            <bdi dir="ltr" className="font-mono">
              {prefix}…
            </bdi>
          </span>
        </span>
      ),
    },
    {
      header: t("scopes"),
      phone: "below",
      className: "whitespace-normal",
      cell: ({ scopes, branch }) => (
        <>
          {scopes.map((scope) => t(`scope.${SCOPE_TEXTS[scope]}`)).join(" · ")}
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
      header: t("used"),
      cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime date={lastUsedAt} /> : t("never")),
    },
    {
      header: t("requests"),
      cell: ({ callsOfDay }) => t("requestCount", { count: callsOfDay }),
    },
    {
      header: t("created"),
      wide: true,
      cell: ({ createdBy, createdAt }) => (
        <span className="names">
          <bdi>{createdBy?.name}</bdi>
          <span className="staff">
            <RelativeTime date={createdAt} />
          </span>
        </span>
      ),
    },
    {
      header: t("state"),
      phone: "aside",
      cell: ({ state }) => <StateBadge of={STATES[state]}>{t(`states.${state}`)}</StateBadge>,
    },
    {
      header: t("actions"),
      actions: true,
      cell: (apiKey) =>
        apiKey.state === "revoked" ? null : <ApiKeyMenu apiKey={apiKey} branches={branches} />,
    },
  ];
}

export const generateMetadata = pageTitle("panels.titles.integrations");

export default async function IntegrationsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listApiKeys);
  const { list } = await readList(apiKeysSchema, searchParams, (query) => listApiKeys(ctx, query));
  const branches = await branchOptions(ctx, { state: "open" });
  const [t, titles] = await Promise.all([getTranslations("apiKeys"), getTranslations("panels.titles")]);
  return (
    <ListPage
      list={list}
      head={
        <PageHeader
          title={t("title")}
          description={
            <>
              {t("text")}{" "}
              <Link href="/help/developers" className="text-link underline underline-offset-4">
                {t("guide")}
              </Link>
            </>
          }
          back={{ href: "/merchant/settings", label: t("back") }}
        />
      }
      filters={{
        fields: [
          {
            name: "state",
            label: t("filterState"),
            without: t("open"),
            options: [
              { value: "revoked", label: t("states.revoked") },
              { value: "all", label: t("all") },
            ],
          },
        ],
        actions: (
          <>
            <LinkButton variant="outline" href="/merchant/settings/integrations/webhooks">
              <WebhookIcon aria-hidden /> {titles("webhooks")}
            </LinkButton>
            <AddApiKey branches={branches} />
          </>
        ),
      }}
      caption={t("caption")}
      columns={await keyColumns(branches)}
      of="apiKeys"
      icon={KeyRoundIcon}
    />
  );
}
