import { PanelCounter } from "@/components/counter/panel-counter";
import type { CounterMode } from "@/components/counter/types";
import { pageContext } from "@/lib/api/page";
import { isId } from "@/lib/domain/is-id";
import { noteGround } from "@/lib/files/note";
import { redeem, topUp } from "@/lib/ledger/move-points";
import { merchantsToServe } from "@/lib/merchants/lookups";
import { workerRefundDays } from "@/lib/merchants/settings";

export type CounterQuery = Promise<{ customerId?: string | string[] }>;

/** The Top-up and Redeem pages of every panel. `?customerId=` opens a customer. */
export async function CounterPage({ mode, query }: { mode: CounterMode; query: CounterQuery }) {
  const ctx = await (mode === "topup" ? pageContext(topUp) : pageContext(redeem));
  const { customerId } = await query;
  const { role, userId, handle, branchId, merchantId } = ctx.actor;
  return (
    <PanelCounter
      mode={mode}
      role={role}
      userId={userId}
      handle={handle}
      homeBranchId={branchId}
      merchants={role === "super_admin" ? await merchantsToServe(ctx, {}) : null}
      refundDays={role === "branch_worker" ? await workerRefundDays(ctx, {}) : Number.POSITIVE_INFINITY}
      note={merchantId ? await noteGround(ctx, { merchantId }) : undefined}
      customerId={isId(customerId) ? customerId : null}
    />
  );
}
