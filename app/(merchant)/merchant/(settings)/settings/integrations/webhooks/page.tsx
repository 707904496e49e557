import { getTranslations } from "next-intl/server";
import { ListFrame } from "@/components/data/list-frame";
import { PageHeader } from "@/components/data/page-header";
import { deferRead, StreamedList } from "@/components/data/streamed";
import { AddWebhook } from "@/components/webhooks/webhook-actions";
import { WebhooksTable } from "@/components/webhooks/webhooks-table";
import { pageContext, pageQuery, pageTitle, type SearchParams } from "@/lib/api/page";
import { listBranches } from "@/lib/branches/branches";
import { branchName } from "@/lib/domain/branch-name";
import { webhooksSchema } from "@/lib/webhooks/model";
import { listWebhooks } from "@/lib/webhooks/webhooks";

export const generateMetadata = pageTitle("panels.titles.webhooks");

export default async function WebhooksPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listWebhooks);
  const query = await pageQuery(webhooksSchema, searchParams);
  const list = deferRead(listWebhooks(ctx, query));
  const { results } = await listBranches(ctx, { state: "open", limit: 100, sort: "name" });
  const branches = results.map((branch) => ({ value: branch.id, label: branchName(branch, ctx.locale) }));
  const t = await getTranslations("webhooks");
  return (
    <ListFrame>
      <PageHeader
        title={t("title")}
        description={t("text")}
        back={{ href: "/merchant/settings/integrations", label: t("back") }}
        actions={<AddWebhook branches={branches} />}
      />
      <StreamedList data={list}>
        {(page) => <WebhooksTable endpoints={page.results} branches={branches} />}
      </StreamedList>
    </ListFrame>
  );
}
