import type { PublicContext } from "@/lib/db/context";
import type { StatementLine } from "@/lib/domain/card";
import type { Page } from "@/lib/domain/points";
import type { CardStatement } from "@/lib/domain/schemas/customer";
import { statementOf } from "@/lib/ledger/statement";
import { codeCard } from "./card-code";
import { assertCardHolder } from "./card-holder";

const LINES = 10;

/** The holder's own statement, newest first. Throws customer_not_found, card_holder_required. */
export async function cardStatement(ctx: PublicContext, input: CardStatement): Promise<Page<StatementLine>> {
  const { id } = await codeCard(ctx, input.customerId);
  await assertCardHolder(ctx.db, id, input.holder);
  const page = await statementOf(ctx.db, id, { cursor: input.cursor, limit: LINES });
  return {
    results: page.results.map((movement) => ({
      id: movement.id,
      type: movement.type,
      points: movement.points,
      balanceAfter: movement.balanceAfter,
      rate: movement.rate,
      branch: movement.branch.name,
      createdAt: movement.createdAt,
    })),
    nextCursor: page.nextCursor,
  };
}
cardStatement.permission = "public" as const;
