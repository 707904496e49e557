import { targetMerchantId } from "@/lib/domain/actor";
import { operation } from "@/lib/operations/operation";
import { type LedgerDay, ledgerCheckSchema } from "./model/ledger-check";

const DAYS = 31;

/**
 * Answers the heads that were mailed in the last days, newest first. An owner compares the e-mails with them.
 * Throws merchant_not_found.
 */
export const ledgerDays = operation({
  permission: "ledger.verify",
  input: ledgerCheckSchema,
  errors: ["merchant_not_found"],
  readOnly: true,
  run: async (ctx, query): Promise<LedgerDay[]> => {
    const merchantId = targetMerchantId(ctx.reach, query.merchantId);
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
  },
});
