import { MovementView } from "@/components/ledger/movement-view";
import { PANELS } from "@/lib/domain/panels";
import { scopeOf } from "@/lib/domain/policy";
import { pageContext, readOr404 } from "@/lib/http/page";
import { viewMovement } from "@/lib/ledger/view-movement";
import { reverseAction } from "./transaction-actions";

/** One movement, to look at and, where the reader may, to reverse. */
export async function TransactionPage({ params }: { params: Promise<{ id: string }> }) {
  const ctx = await pageContext("movements.read");
  const movement = await readOr404(viewMovement, ctx, { movementId: (await params).id });
  const mayReverse = scopeOf(ctx.actor.role, "money.reverse") !== null;
  return (
    <MovementView
      movement={movement}
      base={`/${PANELS[ctx.actor.role].segment}`}
      reverse={mayReverse ? reverseAction : undefined}
    />
  );
}
