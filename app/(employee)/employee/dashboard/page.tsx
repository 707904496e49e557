import {
  ArrowDownToLineIcon,
  ArrowLeftRightIcon,
  ArrowUpFromLineIcon,
  GiftIcon,
  PlusCircleIcon,
  Undo2Icon,
} from "lucide-react";
import Link from "next/link";
import { getLocale, getTranslations } from "next-intl/server";
import { TodayList } from "@/app/topup/today-list";
import { CursorPager } from "@/components/data/cursor-pager";
import { PageHeader } from "@/components/data/page-header";
import { StatCard } from "@/components/data/stat-card";
import { Button } from "@/components/ui/button";
import { qatarDay } from "@/lib/domain/days";
import { formatCount, formatPoints } from "@/lib/domain/money";
import type { LoggedMovement } from "@/lib/domain/points";
import type { Locale } from "@/lib/domain/roles";
import { pageContext } from "@/lib/http/page";
import { listMovements } from "@/lib/ledger/list-movements";
import { movementTotals } from "@/lib/ledger/movement-totals";

const ROWS = 50;

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("dashboard") };
}

function toRow(movement: LoggedMovement) {
  return {
    id: movement.id,
    type: movement.type,
    points: movement.points,
    customerName: movement.customer.fullName,
    branchName: movement.branch.name,
    createdAt: movement.createdAt.toISOString(),
    undoUntil: movement.undoUntil?.toISOString() ?? null,
    reversed: movement.reversedBy !== null,
  };
}

/** The worker's own day: what they added, took and undid. */
export default async function EmployeeDashboard({
  searchParams,
}: {
  searchParams: Promise<{ cursor?: string | string[] }>;
}) {
  const ctx = await pageContext("movements.read");
  const { cursor } = await searchParams;
  const today = qatarDay(ctx.clock());
  const day = { from: today, to: today };
  const after = typeof cursor === "string" ? cursor : undefined;
  const [page, totals, undone, t] = await Promise.all([
    listMovements(ctx, { ...day, cursor: after, limit: ROWS }),
    movementTotals(ctx, day),
    movementTotals(ctx, { ...day, type: "REVERSAL" }),
    getTranslations("today"),
  ]);
  const locale = (await getLocale()) as Locale;
  const points = (amount: number) => formatPoints(amount, locale);
  return (
    <>
      <PageHeader
        title={t("hello", { name: ctx.actor.firstName })}
        description={t("intro")}
        actions={
          <div className="grid w-full grid-cols-2 gap-2">
            <Button asChild size="xl">
              <Link href="/employee/topup">
                <PlusCircleIcon aria-hidden /> {t("topup")}
              </Link>
            </Button>
            <Button asChild size="xl" variant="outline">
              <Link href="/employee/redeem">
                <GiftIcon aria-hidden /> {t("redeem")}
              </Link>
            </Button>
          </div>
        }
      />
      <div className="mb-6 grid grid-cols-2 gap-3 lg:grid-cols-4">
        <StatCard label={t("added")} value={points(totals.toppedUp)} icon={ArrowDownToLineIcon} />
        <StatCard label={t("redeemed")} value={points(totals.redeemed)} icon={ArrowUpFromLineIcon} />
        <StatCard label={t("count")} value={formatCount(totals.count)} icon={ArrowLeftRightIcon} />
        <StatCard label={t("undone")} value={formatCount(undone.count)} icon={Undo2Icon} />
      </div>
      <TodayList
        role={ctx.actor.role}
        userId={ctx.actor.userId}
        handle={ctx.actor.handle}
        homeBranchId={ctx.actor.branchId}
        merchants={null}
        rows={page.results.map(toRow)}
      />
      <CursorPager nextCursor={page.nextCursor} />
    </>
  );
}
