import { WebhookIcon } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { AddApiKey, ApiKeysTable } from "@/components/api-keys/api-keys";
import { FilterBar } from "@/components/data/filter-bar";
import { ListFrame } from "@/components/data/list-frame";
import { PageHeader } from "@/components/data/page-header";
import { deferRead, StreamedList } from "@/components/data/streamed";
import { LinkButton } from "@/components/ui/button";
import { pageContext, pageQuery, pageTitle, type SearchParams } from "@/lib/api/page";
import { listApiKeys } from "@/lib/api-keys/api-keys";
import { apiKeysSchema } from "@/lib/api-keys/model";
import { listBranches } from "@/lib/branches/branches";
import { branchName } from "@/lib/domain/branch-name";

export const generateMetadata = pageTitle("panels.titles.integrations");

export default async function IntegrationsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listApiKeys);
  const query = await pageQuery(apiKeysSchema, searchParams);
  const list = deferRead(listApiKeys(ctx, query));
  const { results } = await listBranches(ctx, { state: "open", limit: 100, sort: "name" });
  const branches = results.map((branch) => ({ value: branch.id, label: branchName(branch, ctx.locale) }));
  const [t, titles] = await Promise.all([getTranslations("apiKeys"), getTranslations("panels.titles")]);
  return (
    <ListFrame>
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
      <FilterBar
        fields={[
          {
            name: "state",
            label: t("filterState"),
            without: t("open"),
            options: [
              { value: "revoked", label: t("states.revoked") },
              { value: "all", label: t("all") },
            ],
          },
        ]}
        actions={
          <>
            <LinkButton variant="outline" href="/merchant/settings/integrations/webhooks">
              <WebhookIcon aria-hidden /> {titles("webhooks")}
            </LinkButton>
            <AddApiKey branches={branches} />
          </>
        }
      />
      <StreamedList data={list}>
        {(page) => (
          <ApiKeysTable
            keys={page.results}
            branches={branches}
            filtered={query.state === "revoked" || Boolean(query.cursor)}
          />
        )}
      </StreamedList>
    </ListFrame>
  );
}
