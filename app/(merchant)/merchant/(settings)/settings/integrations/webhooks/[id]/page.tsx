import { getTranslations } from "next-intl/server";
import { filterBy } from "@/app/_panels/read-list";
import { CursorPager } from "@/components/data/cursor-pager";
import { FilterBar } from "@/components/data/filter-bar";
import { ListFrame } from "@/components/data/list-frame";
import { PageHeader } from "@/components/data/page-header";
import { DeliveriesTable, EndpointBadge, LogButtons } from "@/components/webhooks/deliveries-table";
import { pageContext, pageQuery, pageTitle, readOr404, type SearchParams } from "@/lib/api/page";
import { idSchema } from "@/lib/domain/ids";
import { NIL_ID } from "@/lib/domain/is-id";
import { DELIVERY_STATES, deliveriesSchema } from "@/lib/webhooks/model";
import { listDeliveries } from "@/lib/webhooks/webhooks";

export const generateMetadata = pageTitle("panels.titles.webhooks");

const filterSchema = deliveriesSchema.omit({ id: true, from: true, to: true });

type DeliveriesPageProps = { params: Promise<{ id: string }>; searchParams: SearchParams };

export default async function DeliveriesPage({ params, searchParams }: DeliveriesPageProps) {
  const ctx = await pageContext(listDeliveries);
  const id = idSchema.catch(NIL_ID).parse((await params).id);
  const query = await pageQuery(filterSchema, searchParams);
  const { endpoint, results, nextCursor } = await readOr404(listDeliveries, ctx, { ...query, id });
  const t = await getTranslations("webhooks");
  return (
    <ListFrame>
      <PageHeader
        title={
          <span className="inline-flex flex-wrap items-center gap-2">
            <bdi dir="ltr" className="break-all">
              {endpoint.url}
            </bdi>
            <EndpointBadge state={endpoint.state} />
          </span>
        }
        description={
          endpoint.publicKey ? (
            <>
              {t("deliveriesText")} {t("publicKey")}{" "}
              <bdi dir="ltr" className="break-all font-mono">
                {endpoint.publicKey}
              </bdi>
            </>
          ) : (
            t("deliveriesText")
          )
        }
        back={{ href: "/merchant/settings/integrations/webhooks", label: t("title") }}
        actions={<LogButtons id={id} />}
      />
      <FilterBar
        fields={[
          filterBy("state", t("filterState"), DELIVERY_STATES, (value) => t(`delivery.${value}`), t("all")),
        ]}
      />
      <DeliveriesTable id={id} deliveries={results} />
      <CursorPager nextCursor={nextCursor} />
    </ListFrame>
  );
}
