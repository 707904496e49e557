import { MovementView } from "@/components/ledger/movement-view";
import { RefundDialog } from "@/components/ledger/refund-dialog";
import { ReverseMovement } from "@/components/ledger/reverse-movement";
import { MovementReceipt } from "@/components/receipts/movement-receipt";
import { pageContext, readOr404 } from "@/lib/api/page";
import { PANELS } from "@/lib/domain/panels";
import { scopeOf } from "@/lib/domain/policy";
import { pageTitle } from "@/lib/i18n/page-title";
import { leftToRefund } from "@/lib/ledger/model/movements";
import { viewMovement } from "@/lib/ledger/read-movements";

export const transactionMetadata = pageTitle("panels.titles.transactions");

/** One movement, with a Reverse button if the user may reverse it. */
export async function TransactionPage({ params }: { params: Promise<{ id: string }> }) {
  const ctx = await pageContext(viewMovement);
  const movement = await readOr404(viewMovement, ctx, { movementId: (await params).id });
  // Workers undo and refund from their own lists.
  const canReverse = (scopeOf(ctx.actor.role, "money.reverse") ?? "own") !== "own";
  const { role, handle, userId } = ctx.actor;
  const base = `/${PANELS[role].segment}`;
  const reverse = canReverse && (
    <ReverseMovement movement={movement} base={base} handle={handle} userId={userId} />
  );
  const { id, customer } = movement;
  const refundable = {
    id,
    customerName: customer.fullName,
    left: leftToRefund(movement),
    rate: movement.rate,
  };
  const refund = canReverse && scopeOf(role, "money.refund") && (
    <RefundDialog movement={refundable} session={handle} base={base} />
  );
  const mayReadCustomers = scopeOf(role, "customers.read") !== null;
  return (
    <MovementView
      movement={movement}
      base={base}
      linkCustomer={mayReadCustomers}
      reverse={reverse}
      refund={refund}
      receipt={<MovementReceipt movement={{ id, type: movement.type }} handle={handle} />}
    />
  );
}
