import { ArrowLeftRightIcon, Undo2Icon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { withPassword } from "@/app/(employee)/with-password";
import { toListed } from "@/components/counter/counter-api";
import { TodayList } from "@/components/counter/today-list";
import { CursorPager } from "@/components/data/cursor-pager";
import { ListFrame } from "@/components/data/list-frame";
import { PageHeader } from "@/components/data/page-header";
import { StatCard, StatSkeletons } from "@/components/data/stat-card";
import { deferRead, ListSkeleton, Streamed } from "@/components/data/streamed";
import { LinkButton } from "@/components/ui/button";
import { RedeemIcon, TopUpIcon } from "@/components/ui/money-icons";
import { asRead, pageContext, pageTitle, type SearchParams } from "@/lib/api/page";
import { formatCount, formatPoints, formatQar } from "@/lib/domain/money";
import { qatarDay } from "@/lib/domain/time";
import type { MovementTotals } from "@/lib/ledger/model/movements";
import { movementTotals } from "@/lib/ledger/movement-totals";
import { ledgerCalls } from "@/lib/ledger/names";
import { listMovements } from "@/lib/ledger/read-movements";
import { workerRefundDays } from "@/lib/merchants/settings";
import { countIsBlind } from "@/lib/tills/read-shifts";

const ROWS = 50;

export const generateMetadata = pageTitle("panels.titles.dashboard");

async function EmployeeDashboard({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(movementTotals);
  const { role, userId, handle, branchId } = ctx.actor;
  const { cursor } = await searchParams;
  const today = qatarDay(ctx.clock());
  const day = { from: today, to: today };
  const after = typeof cursor === "string" ? cursor : undefined;
  const list = deferRead(listMovements(ctx, { ...day, cursor: after, limit: ROWS }));
  const sums = deferRead(
    Promise.all([movementTotals(ctx, day), movementTotals(ctx, { ...day, type: "REVERSAL" })]),
  );
  const [t, refundDays, { blind }] = await Promise.all([
    getTranslations("today"),
    workerRefundDays(ctx, {}),
    countIsBlind(ctx, {}),
  ]);
  return (
    <ListFrame>
      <PageHeader
        title={t("hello", { name: ctx.actor.firstName })}
        description={t("intro")}
        actions={
          <div className="grid w-full grid-cols-2 gap-2">
            <LinkButton size="xl" href="/employee/topup">
              <TopUpIcon aria-hidden /> {t("topup")}
            </LinkButton>
            <LinkButton size="xl" variant="outline" href="/employee/redeem">
              <RedeemIcon aria-hidden /> {t("redeem")}
            </LinkButton>
          </div>
        }
      />
      <Streamed data={sums} fallback={<StatSkeletons className={FIGURES} />}>
        {([totals, undone]) =>
          totals && <Figures totals={totals} undone={undone?.count ?? 0} blind={blind} />
        }
      </Streamed>
      <Streamed data={list} fallback={<ListSkeleton rows={4} />}>
        {(page) => (
          <>
            <TodayList
              user={{ role, userId, handle, branchId }}
              merchants={null}
              refundDays={refundDays}
              rows={toListed(asRead(ctx, ledgerCalls.recentTopUps.reply, page.results))}
              now={ctx.clock().toISOString()}
            />
            <CursorPager nextCursor={page.nextCursor} />
          </>
        )}
      </Streamed>
    </ListFrame>
  );
}

const FIGURES = "mb-6 grid grid-cols-2 gap-3 lg:grid-cols-4";

/** `blind`: no sums of money while the employee's drawer must still be counted. */
function Figures({ totals, undone, blind }: { totals: MovementTotals; undone: number; blind: boolean }) {
  const t = useTranslations("today");
  const stats = useTranslations("stats");
  const locale = useLocale();
  const hintOf = (key: "toppedUp" | "redeemed") => {
    const gross = totals.gross?.value[key];
    return (
      <>
        <bdi>{formatPoints(totals[key], locale)}</bdi>
        {gross !== undefined && gross !== totals.value[key] && (
          <span className="block">{stats("gross", { amount: formatQar(gross, locale) })}</span>
        )}
      </>
    );
  };
  return (
    <div className={FIGURES}>
      {!blind && (
        <>
          <StatCard
            label={t("added")}
            value={<bdi>{formatQar(totals.value.toppedUp, locale)}</bdi>}
            hint={hintOf("toppedUp")}
            icon={TopUpIcon}
          />
          <StatCard
            label={t("redeemed")}
            value={<bdi>{formatQar(totals.value.redeemed, locale)}</bdi>}
            hint={hintOf("redeemed")}
            icon={RedeemIcon}
          />
        </>
      )}
      <StatCard label={t("count")} value={formatCount(totals.count)} icon={ArrowLeftRightIcon} />
      <StatCard label={t("undone")} value={formatCount(undone)} icon={Undo2Icon} />
    </div>
  );
}

export default withPassword(EmployeeDashboard);
