import type { Context } from "@/lib/db/context";
import { authorize, targetMerchantId } from "@/lib/domain/actor";
import { type LedgerCheckQuery, type LedgerDay, ledgerCheckSchema } from "@/lib/domain/ledger-check";

const DAYS = 31;

/**
 * Answers the heads that were mailed in the last days, newest first. An owner compares the e-mails with them.
 * Throws merchant_not_found.
 */
export async function ledgerDays(ctx: Context, query: LedgerCheckQuery): Promise<LedgerDay[]> {
  const merchantId = targetMerchantId(authorize(ctx.actor, "ledger.verify"), query.merchantId);
  const mails = await ctx.db.sealMail.findMany({
    where: { merchantId },
    orderBy: { day: "desc" },
    take: DAYS,
    select: { day: true, seal: { select: { total: true, head: true } } },
  });
  return mails.map(({ day, seal }) => ({
    day: day.toISOString().slice(0, 10),
    total: Number(seal.total),
    head: Buffer.from(seal.head).toString("hex"),
  }));
}
ledgerDays.permission = "ledger.verify" as const;
ledgerDays.input = ledgerCheckSchema;
ledgerDays.errors = ["merchant_not_found"] as const;
