import { CODE_SECONDS, type CodeTarget, countSend, issueCode } from "@/lib/db/codes";
import type { PublicContext } from "@/lib/db/context";
import type { SendCode } from "@/lib/domain/schemas/customer";
import { queueEmail } from "@/lib/email";
import { translator } from "@/lib/i18n/translate";

/**
 * Mails a registration code, which replaces the one before it. The answer is the same whoever owns the e-mail.
 * Throws rate_limited past 5 sends an hour an e-mail or 200 an address.
 */
export async function sendCode(ctx: PublicContext, input: SendCode): Promise<{ seconds: number }> {
  const target: CodeTarget = { purpose: "register", email: input.email };
  await countSend(ctx.db, target, ctx.address);
  const merchant = input.merchantId
    ? await ctx.db.merchant.findFirst({
        where: { id: input.merchantId, status: "approved" },
        select: { businessName: true },
      })
    : null;
  const name = merchant?.businessName ?? translator(ctx.locale)("common.appName");
  await ctx.db.$transaction(async (tx) => {
    const code = await issueCode(tx, target, ctx.address, ctx.clock());
    await queueEmail(tx, {
      to: input.email,
      template: "code_register",
      params: { merchant: name, code, minutes: CODE_SECONDS / 60 },
      locale: ctx.locale,
    });
  });
  return { seconds: CODE_SECONDS };
}
sendCode.permission = "public" as const;
