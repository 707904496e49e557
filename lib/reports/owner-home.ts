import type { Db } from "@/lib/db/client";
import { summedUntil } from "@/lib/db/sums";
import { targetMerchantId } from "@/lib/domain/actor";
import { BRANCH_REF, type BranchRef } from "@/lib/domain/localized-names";
import { compareByName } from "@/lib/domain/paging";
import { operation } from "@/lib/operations/operation";
import { outstandingOf } from "./dashboard";
import {
  type Checklist,
  chartDays,
  HOME_STEPS,
  type HomeBranch,
  homeSpans,
  type OwnerHome,
} from "./model/owner-home";
import { ownerHomeSchema } from "./model/owner-home-query";
import { dayOf, moneyOfBranches, moneyOfDays, type OfBranch, type SpanMoney, totalMoney } from "./money";

type Branch = BranchRef & { archivedAt: Date | null };

const branchesOf = (db: Db, merchantId: string): Promise<Branch[]> =>
  db.branch.findMany({ where: { merchantId }, select: { ...BRANCH_REF, archivedAt: true } });

const partsOf = (money: SpanMoney[]) => ({
  now: totalMoney(money.filter(({ part }) => part === "now")),
  before: totalMoney(money.filter(({ part }) => part === "before")),
});

/** A row for each open branch, each archived branch with movements, and the movements at no branch. */
function rowsOf(branches: Branch[], spans: SpanMoney[], byDay: Map<string, OfBranch[]>, days: string[]) {
  const money = Map.groupBy(spans, ({ branchId }) => branchId);
  const row = (id: string | null, branch: HomeBranch["branch"]): HomeBranch => ({
    branch,
    ...partsOf(money.get(id) ?? []),
    days: days.map((day) => byDay.get(day)?.find(({ branchId }) => branchId === id)?.taken ?? 0),
  });
  const named = branches
    .filter(({ id, archivedAt }) => archivedAt === null || money.has(id))
    .sort(compareByName(({ name }) => name))
    .map(({ archivedAt: _, ...branch }) => row(branch.id, branch));
  const rows = money.has(null) ? [...named, row(null, null)] : named;
  return rows.sort((a, b) => b.now.taken - a.now.taken);
}

/** Which steps of a new shop are done; null when all of them are. */
async function checklistOf(db: Db, merchantId: string, branches: Branch[]): Promise<Checklist | null> {
  // Ordered, so that an index is used; otherwise a shop without movements would cause a search through all movements.
  const [done] = await db.$queryRaw<Omit<Checklist, "branch">[]>`
    select coalesce(m.image_key, c.image_key) is not null as image, m.poster_at is not null as poster,
      exists (select from users u where u.merchant_id = m.id and u.role = 'branch_worker') as worker,
      (select id from movements v where v.merchant_id = m.id order by created_at desc limit 1) is not null as "topUp"
    from merchants m left join profile_changes c on c.merchant_id = m.id where m.id = ${merchantId}::uuid`;
  const none = { image: false, poster: false, worker: false, topUp: false };
  const checklist = { ...(done ?? none), branch: branches.some(({ archivedAt }) => archivedAt === null) };
  return HOME_STEPS.every((step) => checklist[step]) ? null : checklist;
}

/** A period beside the one before, in all and by branch, in dirhams. An open branch narrows everything except `owed`. */
export const ownerHome = operation({
  permission: "merchant.profile",
  input: ownerHomeSchema,
  readOnly: true,
  mayLag: true,
  run: async (ctx, query): Promise<OwnerHome> => {
    const merchantId = targetMerchantId(ctx.reach, undefined);
    const { db } = ctx;
    const spans = homeSpans(query, ctx.clock());
    const [summed, branches] = await Promise.all([summedUntil(db), branchesOf(db, merchantId)]);
    const shown = branches.filter(({ id, archivedAt }) => id === query.branchId && archivedAt === null);
    // An archived branch, or another merchant's, filters nothing: the page does not offer it.
    const place = { merchantId, branchId: shown.length > 0 ? query.branchId : undefined };
    const days = chartDays(spans.now);
    const [money, daily, owed, checklist] = await Promise.all([
      moneyOfBranches(db, place, spans, summed),
      moneyOfDays(db, place, days, summed),
      outstandingOf(db, { scope: "merchant", merchantId }, summed),
      checklistOf(db, merchantId, branches),
    ]);
    const byDay = Map.groupBy(daily, ({ day }) => day);
    return {
      spans,
      ...partsOf(money),
      branches: rowsOf(shown.length > 0 ? shown : branches, money, byDay, days),
      days: days.map((day) => dayOf(day, totalMoney(byDay.get(day)))),
      owed,
      checklist,
    };
  },
});
