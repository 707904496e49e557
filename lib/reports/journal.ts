import { auditExport } from "@/lib/audit/audit";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { readPart } from "@/lib/db/replica";
import { type MerchantNames, merchantName } from "@/lib/domain/localized-names";
import { cashValue } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { addDays, dayStart, qatarDay } from "@/lib/domain/time";
import { csvTable } from "@/lib/files/csv";
import { operation } from "@/lib/operations/operation";
import { wantedMerchant } from "./liability";
import { liabilitySchema, type PeriodQuery } from "./model/liability";

/** One line of a movement in double entry. A positive amount is a debit; the lines of a movement add up to zero. */
type JournalLine = MerchantNames & {
  movementId: string;
  createdAt: Date;
  type: string;
  account: keyof ReturnType<typeof accounts>;
  tender: string | null;
  branchName: string | null;
  points: number;
  dirhams: bigint;
};

const MOVEMENTS_A_PART = 1_000;

/** The entries of the days, oldest first, some movements at a time; a movement's lines stay together. */
async function* eachEntry(ctx: Context, query: PeriodQuery): AsyncGenerator<JournalLine[]> {
  const { from, to, merchantId } = query;
  const own = merchantId ? Prisma.sql`and merchant_id = ${merchantId}::uuid` : Prisma.empty;
  for (let last: { at: Date; id: string } | undefined; ; ) {
    // A Date cannot hold microseconds, so the query reads the cursor's moment from the cursor's row.
    const after: Prisma.Sql = last
      ? Prisma.sql`and (created_at, id) > ((select created_at from movements where id = ${last.id}::uuid), ${last.id}::uuid)`
      : Prisma.empty;
    const entries = Prisma.sql`
      with part as materialized (
        select id from movements
        where created_at >= ${dayStart(from)} and created_at < ${dayStart(addDays(to, 1))} ${own} ${after}
        order by created_at, id limit ${MOVEMENTS_A_PART}
      )
      select e.movement_id::text as "movementId", e.created_at as "createdAt", e.type::text as type, e.account,
        e.tender::text as tender, e.branch_name as "branchName",
        m.business_name as "businessName", m.business_name_ar as "businessNameAr", e.points, e.dirhams
      from part p join ledger_entries e on e.movement_id = p.id join merchants m on m.id = e.merchant_id
      order by e.created_at, e.movement_id, e.line`;
    const lines = await readPart(ctx, ({ db }) => db.$queryRaw<JournalLine[]>(entries));
    const end = lines.at(-1);
    if (!end) return;
    yield lines;
    last = { at: end.createdAt, id: end.movementId };
  }
}

/** The ledger in double entry, in parts that are read as they are asked for. Throws merchant_not_found. */
export const exportJournal = operation({
  permission: "reports.read",
  input: liabilitySchema,
  errors: ["merchant_not_found"],
  readOnly: true,
  mayLag: true,
  stepUp: true,
  run: async (ctx, query): Promise<AsyncGenerator<JournalLine[]>> => {
    const merchantId = await wantedMerchant(ctx.db, ctx.reach, query.merchantId);
    await auditExport(ctx, "export.journal", query);
    return eachEntry(ctx, { ...query, merchantId });
  },
});

// In journal formats, a colon separates an account from its parent, and two spaces end its name.
const part = (name: string) => name.replace(/[:;\s]+/g, " ").trim();

function accounts(tender: string | null, branchName: string | null) {
  const branch = branchName ? [part(branchName)] : [];
  return {
    tender: ["assets", "tender", tender ?? "other", ...branch],
    customers_paid: ["liabilities", "customers", "paid"],
    customers_bonus: ["liabilities", "customers", "bonus"],
    bonus_expense: ["expenses", "bonus"],
    redeemed: ["income", "redeemed", ...branch],
    expired: ["income", "expired"],
    imported: ["equity", "imported"],
    adjustments: ["equity", "adjustments"],
  };
}

/** The ledger as a journal in CSV, a line per entry. Columns, types and accounts are English, because programs import it. */
export function journalCsv(locale: Locale, parts: AsyncIterable<JournalLine[]>): Response {
  return csvTable(
    `journal-${qatarDay(new Date())}.csv`,
    parts,
    {
      date: (line) => qatarDay(line.createdAt),
      transaction: (line) => line.movementId,
      type: (line) => line.type,
      account: ({ account, tender, branchName }) => accounts(tender, branchName)[account].join(":"),
      points: (line) => line.points,
      amount: (line) => Number(cashValue(line.dirhams, 1)),
      currency: () => "QAR",
      merchant: (line) => merchantName(line, locale),
    },
    (column) => column,
  );
}
