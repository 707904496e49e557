import { BellIcon } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { CursorPager } from "@/components/data/cursor-pager";
import { ListFrame } from "@/components/data/list-frame";
import { ListSkeleton } from "@/components/data/list-skeleton";
import { deferRead, Streamed } from "@/components/data/streamed";
import { MarkSeen } from "@/components/notices/bell";
import { NoticesList } from "@/components/notices/notices-list";
import { EmptyState } from "@/components/ui/empty";
import { pageContext, pageQuery, type SearchParams } from "@/lib/api/page";
import { pageSchema } from "@/lib/domain/paging";
import { pageTitle } from "@/lib/i18n/page-title";
import { listNotices } from "@/lib/notices/notices";
import { markNoticesAction } from "./actions";

export const noticesMetadata = pageTitle("panels.titles.notices");

/** The user's notices, newest first. Being shown marks them as seen. */
export async function NoticesPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listNotices);
  const query = await pageQuery(pageSchema, searchParams);
  const list = deferRead(listNotices(ctx, query));
  const t = await getTranslations("notices");
  return (
    <ListFrame>
      <Streamed data={list} fallback={<ListSkeleton />}>
        {({ results: [newest, ...others], nextCursor }) =>
          newest ? (
            <div className="max-w-3xl">
              <NoticesList notices={[newest, ...others]} />
              {newest.unread && <MarkSeen until={newest.createdAt.toISOString()} mark={markNoticesAction} />}
              <CursorPager nextCursor={nextCursor} />
            </div>
          ) : (
            <EmptyState
              icon={BellIcon}
              title={t("none")}
              description={t(`noneText.${ctx.actor.merchantId ? "owner" : "platform"}`)}
            />
          )
        }
      </Streamed>
    </ListFrame>
  );
}
