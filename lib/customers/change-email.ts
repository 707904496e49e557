import { spendCode } from "@/lib/db/codes";
import type { PublicContext } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { DomainError } from "@/lib/domain/errors";
import type { ChangeEmail } from "@/lib/domain/schemas/customer";
import { codeCard } from "./card-code";
import { assertCardHolder } from "./card-holder";
import { hashSecret } from "./secrets";

const taken = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";

/**
 * Gives the card the e-mail that the mailed code proved. The holder's other devices have to prove themselves again.
 * Throws card_holder_required, code_invalid, code_expired, and email_taken when it has a card with this merchant.
 */
export async function changeEmail(ctx: PublicContext, input: ChangeEmail): Promise<{ email: string }> {
  const { id } = await codeCard(ctx, input.customerId);
  await assertCardHolder(ctx.db, id, input.holder);
  const target = { purpose: "change_email" as const, email: input.email, customerId: id };
  await spendCode(ctx.db, target, input.code, ctx.clock());
  try {
    await ctx.db.$transaction(async (tx) => {
      const { count } = await tx.customer.updateMany({
        where: { id, status: { not: "erased" } },
        data: { email: input.email },
      });
      if (count === 0) throw new DomainError("customer_not_found");
      await tx.cardHolder.deleteMany({
        where: { customerId: id, tokenHash: { not: hashSecret(input.holder ?? "") } },
      });
      const what = { action: "customer.email", entity: "customer", entityId: id };
      await tx.audit.create({ data: what, select: { id: true } });
    });
  } catch (error) {
    if (taken(error))
      throw new DomainError("email_taken", {}, [{ path: "email", message: "errors.email_taken" }]);
    throw error;
  }
  return { email: input.email };
}
changeEmail.permission = "public" as const;
