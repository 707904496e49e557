import type { PublicContext } from "@/lib/db/context";
import type { Locale } from "@/lib/domain/roles";
import { assertCardHolder } from "./card-holder";

/** Keeps the language in which the holder is written to. Throws card_holder_required. */
export async function setCardLocale(
  ctx: PublicContext,
  input: { customerId: string; holder?: string; locale: Locale },
): Promise<{ locale: Locale }> {
  await assertCardHolder(ctx.db, input.customerId, input.holder);
  await ctx.db.customer.updateMany({
    where: { id: input.customerId, status: { not: "erased" } },
    data: { locale: input.locale },
  });
  return { locale: input.locale };
}
setCardLocale.permission = "public" as const;
