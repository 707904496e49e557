import { auditExport } from "@/lib/audit/audit";
import type { Db } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { assertMerchant } from "@/lib/db/query";
import { summedUntil, unsummed } from "@/lib/db/sums";
import { type Reach, targetMerchantId } from "@/lib/domain/actor";
import { type MerchantRef, merchantName } from "@/lib/domain/localized-names";
import { cashValue } from "@/lib/domain/money";
import { compareByName } from "@/lib/domain/paging";
import type { Locale } from "@/lib/domain/roles";
import { addDays, dayStart } from "@/lib/domain/time";
import { csvTable } from "@/lib/files/csv";
import { translator } from "@/lib/i18n/translate";
import type { MovementType } from "@/lib/ledger/model/movements";
import { operation } from "@/lib/operations/operation";
import {
  emptyFigures,
  LIABILITY_LINES,
  LINE_OF,
  type Liability,
  type LiabilityDay,
  type LiabilityFigures,
  type LiabilityLine,
  liabilityReportSchema,
  liabilitySchema,
  type MerchantLiability,
  type PeriodQuery,
  type PocketSums,
  SERIES_DAYS,
  type Worth,
} from "./model/liability";

type Row = MerchantRef & {
  type: MovementType;
  openingRate: number;
  closingRate: number;
  paidBefore: bigint;
  bonusBefore: bigint;
  paid: bigint;
  bonus: bigint;
  paidValue: bigint;
  bonusValue: bigint;
};

/** A point's value just before a moment by the merchant's own record; null where the platform's was in force. */
const ownRate = (moment: Date): Prisma.Sql => Prisma.sql`
  select case when withdrawn then null else dirhams_per_point end as rate from points_configs
  where merchant_id = those.merchant_id and created_at < ${moment} order by version desc limit 1`;

/** The same by the platform's record. Takes the platform's first record if the moment is before any. */
const platformRate = (moment: Date): Prisma.Sql => Prisma.sql`coalesce(
  (select dirhams_per_point from points_configs where merchant_id is null and created_at < ${moment}
   order by version desc limit 1),
  (select dirhams_per_point from points_configs where merchant_id is null order by version limit 1))`;

/** Answers a row for each merchant and type: the totals before the first day, and those until the last. */
async function rowsOf(db: Db, { from, to, merchantId }: PeriodQuery): Promise<Row[]> {
  const summed = await summedUntil(db);
  const own = merchantId ? Prisma.sql`where m.id = ${merchantId}::uuid` : Prisma.empty;
  const ofOwn = merchantId ? [Prisma.sql`merchant_id = ${merchantId}::uuid`] : [];
  const until = dayStart(addDays(to, 1));
  return db.$queryRaw<Row[]>`
    with kept as (
      select m.id as merchant_id, kind as type,
        coalesce(b.paid, 0) as paid_before, coalesce(b.bonus, 0) as bonus_before,
        t.paid - coalesce(b.paid, 0) as paid, t.bonus - coalesce(b.bonus, 0) as bonus,
        t.paid_value - coalesce(b.paid_value, 0) as paid_value, t.bonus_value - coalesce(b.bonus_value, 0) as bonus_value
      from merchants m cross join unnest(enum_range(null::"MovementType")) as kind
      cross join lateral (
        select * from pocket_days d where d.merchant_id = m.id and d.type = kind and d.day <= ${to}::date
        order by d.day desc limit 1
      ) t
      left join lateral (
        select * from pocket_days d where d.merchant_id = m.id and d.type = kind and d.day < ${from}::date
        order by d.day desc limit 1
      ) b on true ${own}
    ), recent as (
      select merchant_id, type, created_at >= ${dayStart(from)} as within, paid_points, bonus_points, rate
      from movements where ${unsummed(summed, [Prisma.sql`created_at < ${until}`, ...ofOwn])}
    ), fresh as (
      select merchant_id, type,
        coalesce(sum(paid_points) filter (where not within), 0) as paid_before,
        coalesce(sum(bonus_points) filter (where not within), 0) as bonus_before,
        coalesce(sum(paid_points) filter (where within), 0) as paid,
        coalesce(sum(bonus_points) filter (where within), 0) as bonus,
        coalesce(sum(paid_points::bigint * rate) filter (where within), 0) as paid_value,
        coalesce(sum(bonus_points::bigint * rate) filter (where within), 0) as bonus_value
      from recent group by 1, 2
    ), moved as (
      select merchant_id, type, sum(paid_before)::bigint as paid_before, sum(bonus_before)::bigint as bonus_before,
        sum(paid)::bigint as paid, sum(bonus)::bigint as bonus, sum(paid_value)::bigint as paid_value,
        sum(bonus_value)::bigint as bonus_value
      from (select * from kept union all select * from fresh) parts group by 1, 2
    ), rates as (
      select those.merchant_id, coalesce(opening.rate, platform.opening) as opening,
        coalesce(closing.rate, platform.closing) as closing
      from (select distinct merchant_id from moved) those
      left join lateral (${ownRate(dayStart(from))}) opening on true
      left join lateral (${ownRate(until)}) closing on true
      cross join (select ${platformRate(dayStart(from))} as opening, ${platformRate(until)} as closing) platform
    )
    select m.id::text as id, m.business_name as "businessName", m.business_name_ar as "businessNameAr", v.type::text as type, r.opening as "openingRate",
      r.closing as "closingRate", v.paid_before as "paidBefore", v.bonus_before as "bonusBefore", v.paid, v.bonus,
      v.paid_value as "paidValue", v.bonus_value as "bonusValue"
    from moved v join rates r on r.merchant_id = v.merchant_id join merchants m on m.id = v.merchant_id`;
}

/** Adds a row to figures. Points are whole and far below 2^53, in a merchant and on the platform. */
function add({ opening, lines, closing, worth }: LiabilityFigures, row: Row): void {
  for (const pocket of ["paid", "bonus"] as const) {
    const before = row[`${pocket}Before`];
    const after = before + row[pocket];
    opening[pocket] += Number(before);
    lines[LINE_OF[row.type]][pocket] += Number(row[pocket]);
    closing[pocket] += Number(after);
    const opened = before * BigInt(row.openingRate);
    const closed = after * BigInt(row.closingRate);
    const moved = row[`${pocket}Value`];
    worth.opening[pocket] += opened;
    worth.moved[pocket] += moved;
    worth.closing[pocket] += closed;
    worth.revaluation[pocket] += closed - opened - moved;
  }
}

async function heldNow(db: Db, merchantId: string | undefined, now: Date): Promise<number> {
  const own = merchantId ? Prisma.sql`and h.merchant_id = ${merchantId}::uuid` : Prisma.empty;
  const [row] = await db.$queryRaw<{ points: bigint }[]>`
    select coalesce(sum(h.points - h.captured), 0)::bigint as points from holds h join merchants s on s.id = h.merchant_id
    where h.state = 'open' and not is_lapsed(h.expires_at, s.suspended_at, ${now}::timestamptz) ${own}`;
  return Number(row?.points ?? 0n);
}

/** The own merchant, or the one that is named within the reach. Throws merchant_not_found. */
export async function wantedMerchant(
  db: Db,
  reach: Reach,
  named: string | undefined,
): Promise<string | undefined> {
  if (reach.scope !== "any") return targetMerchantId(reach, named);
  if (named) await assertMerchant(db, named);
  return named;
}

/** Points of customers before `from` and after `to` (days in Qatar), and the movements between, by merchant and in all. */
export const liability = operation({
  permission: "reports.read",
  input: liabilitySchema,
  errors: ["merchant_not_found"],
  readOnly: true,
  mayLag: true,
  run: async (ctx, query): Promise<Liability> => {
    const merchantId = await wantedMerchant(ctx.db, ctx.reach, query.merchantId);
    const total = emptyFigures();
    const merchants = new Map<string, MerchantLiability>();
    for (const row of await rowsOf(ctx.db, { ...query, merchantId })) {
      const merchant = { id: row.id, businessName: row.businessName, businessNameAr: row.businessNameAr };
      const figures = merchants.get(row.id) ?? { merchant, ...emptyFigures() };
      merchants.set(row.id, figures);
      add(figures, row);
      add(total, row);
    }
    const sorted = [...merchants.values()].sort(
      compareByName(({ merchant }) => merchantName(merchant, ctx.locale)),
    );
    const held = await heldNow(ctx.db, merchantId, ctx.clock());
    return { from: query.from, to: query.to, total, held, merchants: sorted };
  },
});

/** The report and how it was asked for. Throws merchant_not_found. */
export const liabilityReport = operation({
  permission: "reports.read",
  input: liabilityReportSchema,
  errors: ["merchant_not_found"],
  readOnly: true,
  mayLag: true,
  stepUp: (_ctx, { format }) => format === "csv",
  run: async (ctx, { format = "json", ...query }): Promise<{ report: Liability; format: "json" | "csv" }> => {
    const report = await liability(ctx, query);
    if (format === "csv") await auditExport(ctx, "export.liability", query);
    return { report, format };
  },
});

type DayRow = { day: string | null; paid: bigint; bonus: bigint };

/** Answers the points moved on each day. The row without a day holds the balance before the first day. */
async function movedRows(db: Db, { from, to, merchantId }: PeriodQuery): Promise<DayRow[]> {
  const summed = await summedUntil(db);
  const own = merchantId ? Prisma.sql`where m.id = ${merchantId}::uuid` : Prisma.empty;
  const ofOwn = merchantId ? [Prisma.sql`merchant_id = ${merchantId}::uuid`] : [];
  return db.$queryRaw<DayRow[]>`
    with before as materialized (
      select m.id as merchant_id, kind as type, coalesce(l.paid, 0) as paid, coalesce(l.bonus, 0) as bonus
      from merchants m cross join unnest(enum_range(null::"MovementType")) as kind
      left join lateral (
        select paid, bonus from pocket_days d
        where d.merchant_id = m.id and d.type = kind and d.day < ${from}::date order by d.day desc limit 1
      ) l on true ${own}
    ), kept as (
      select d.day, d.paid - coalesce(lag(d.paid) over own, b.paid) as paid,
        d.bonus - coalesce(lag(d.bonus) over own, b.bonus) as bonus
      from before b join pocket_days d on d.merchant_id = b.merchant_id and d.type = b.type
        and d.day between ${from}::date and ${to}::date
      window own as (partition by d.merchant_id, d.type order by d.day)
    ), fresh as (
      select (created_at at time zone 'Asia/Qatar')::date as day, created_at >= ${dayStart(from)} as within,
        paid_points, bonus_points
      from movements where ${unsummed(summed, [Prisma.sql`created_at < ${dayStart(addDays(to, 1))}`, ...ofOwn])}
    )
    select day::text as day, sum(paid)::bigint as paid, sum(bonus)::bigint as bonus from (
      select null::date as day, paid, bonus from before
      union all select day, paid, bonus from kept
      union all select case when within then day end, paid_points, bonus_points from fresh
    ) moved group by 1`;
}

/** The points of customers at the end of each day (Qatar), oldest first; of a longer time the last SERIES_DAYS days. */
export const liabilityDays = operation({
  permission: "reports.read",
  input: liabilitySchema,
  errors: ["merchant_not_found"],
  readOnly: true,
  mayLag: true,
  run: async (ctx, query): Promise<LiabilityDay[]> => {
    const merchantId = await wantedMerchant(ctx.db, ctx.reach, query.merchantId);
    const earliest = addDays(query.to, 1 - SERIES_DAYS);
    const tooLong = query.from < earliest;
    const first = tooLong ? earliest : query.from;
    const moved = await movedRows(ctx.db, { from: first, to: query.to, merchantId });
    const byDay = new Map(moved.map(({ day, ...held }) => [day, held]));
    const days: LiabilityDay[] = [];
    const held = { paid: 0, bonus: 0 };
    const add = (day: string | null) => {
      held.paid += Number(byDay.get(day)?.paid ?? 0);
      held.bonus += Number(byDay.get(day)?.bonus ?? 0);
    };
    add(null);
    for (let day = first; day <= query.to; day = addDays(day, 1)) {
      add(day);
      days.push({ day, ...held });
    }
    return days;
  },
});

const qar = (dirhams: bigint) => Number(cashValue(dirhams, 1));

type ReportLine = `lines.${LiabilityLine}` | "opening" | "moved" | "revaluation" | "closing";

type ReportRow = { merchant: string; line: ReportLine; points: PocketSums | null; worth: Worth | null };

function liabilityRows(merchant: string, { opening, lines, closing, worth }: LiabilityFigures): ReportRow[] {
  return [
    { merchant, line: "opening", points: opening, worth: worth.opening },
    ...LIABILITY_LINES.map((line) => ({
      merchant,
      line: `lines.${line}` as const,
      points: lines[line],
      worth: null,
    })),
    { merchant, line: "moved", points: null, worth: worth.moved },
    { merchant, line: "revaluation", points: null, worth: worth.revaluation },
    { merchant, line: "closing", points: closing, worth: worth.closing },
  ];
}

/** The liability report as CSV in the user's language: the total of several merchants, then each merchant. */
export function liabilityCsv(locale: Locale, { from, to, total, merchants }: Liability): Response {
  const t = translator(locale);
  async function* parts() {
    if (merchants.length !== 1) yield liabilityRows(t("liability.total"), total);
    for (const { merchant, ...figures } of merchants) {
      yield liabilityRows(merchantName(merchant, locale), figures);
    }
  }
  return csvTable(
    `liability-${from}-${to}.csv`,
    parts(),
    {
      merchant: (row) => row.merchant,
      line: (row) => t(`liability.${row.line}`),
      from: () => from,
      to: () => to,
      paid: ({ points }) => points?.paid ?? null,
      bonus: ({ points }) => points?.bonus ?? null,
      paidQar: ({ worth }) => worth && qar(worth.paid),
      bonusQar: ({ worth }) => worth && qar(worth.bonus),
    },
    (column) => t(`liability.csv.${column}`),
  );
}
