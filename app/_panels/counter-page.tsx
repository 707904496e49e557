import { cookies } from "next/headers";
import { toListed } from "@/components/counter/counter-api";
import { PanelCounter, TillCounter } from "@/components/counter/panel-counter";
import type { CounterMode, FirstRecent } from "@/components/counter/types";
import { TILL_COOKIE } from "@/components/tills/device/mark";
import { asRead, type PageContext, pageContext, pageTitle } from "@/lib/api/page";
import { isId } from "@/lib/domain/is-id";
import { noteGround } from "@/lib/files/note";
import { redeem, topUp } from "@/lib/ledger/move-points";
import { ledgerCalls } from "@/lib/ledger/names";
import { recentMovements } from "@/lib/ledger/read-movements";
import { merchantsToServe } from "@/lib/merchants/lookups";
import { workerRefundDays } from "@/lib/merchants/settings";

type CounterPageProps = { searchParams: Promise<{ customerId?: string | string[] }> };

/** The list beside the counter. A till has none: it keeps its pages, where nobody knows the list's age. */
async function firstRecent(ctx: PageContext, mode: CounterMode): Promise<FirstRecent | undefined> {
  if ((await cookies()).has(TILL_COOKIE)) return undefined;
  const madeAt = ctx.clock().toISOString();
  const rows = await recentMovements(ctx, { type: mode === "topup" ? "TOP_UP" : "REDEEM" });
  return { mode, madeAt, rows: toListed(asRead(ctx, ledgerCalls.recentTopUps.reply, rows)) };
}

export const topUpMetadata = pageTitle("panels.titles.topup");
export const redeemMetadata = pageTitle("panels.titles.redeem");

/** The Top-up and Redeem pages of every panel. `?customerId=` opens a customer. */
const counterPage =
  (mode: CounterMode) =>
  async ({ searchParams }: CounterPageProps) => {
    const ctx = await (mode === "topup" ? pageContext(topUp) : pageContext(redeem));
    const { customerId } = await searchParams;
    const { role, userId, handle, branchId, merchantId } = ctx.actor;
    const [first, merchants, refundDays, note] = await Promise.all([
      firstRecent(ctx, mode),
      role === "super_admin" ? merchantsToServe(ctx, {}) : null,
      role === "branch_worker" ? workerRefundDays(ctx, {}) : Number.POSITIVE_INFINITY,
      merchantId ? noteGround(ctx, { merchantId }) : undefined,
    ]);
    return (
      <PanelCounter
        mode={mode}
        user={{ role, userId, handle, branchId }}
        first={first}
        merchants={merchants}
        refundDays={refundDays}
        note={note}
        customerId={isId(customerId) ? customerId : null}
      />
    );
  };

export const TopUpPage = counterPage("topup");
export const RedeemPage = counterPage("redeem");

/** The page of a PIN session: it comes without data. */
export const tillCounter =
  (mode: CounterMode) =>
  async ({ searchParams }: CounterPageProps) => {
    const { customerId } = await searchParams;
    return <TillCounter mode={mode} customerId={isId(customerId) ? customerId : null} />;
  };
