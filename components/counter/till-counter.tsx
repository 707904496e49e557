"use client";

import { type TillSession, useTillSession } from "@/components/tills/device/own-till";
import { ReadyCounter, useCounterSetting } from "./panel-counter";
import type { CounterMode } from "./types";

type Props = { mode: CounterMode; customerId: string | null };

/** The counter of a PIN session: what it needs to know comes from the till, not with the page. */
export function TillCounter(props: Props) {
  const session = useTillSession();
  return session && <AtTill {...props} {...session} />;
}

function AtTill({ mode, customerId, cashier, till, onSignedOut }: Props & TillSession) {
  const setting = useCounterSetting(
    {
      role: "branch_worker",
      userId: cashier.id,
      handle: cashier.handle,
      homeBranchId: till.branch.id,
      ofBranch: true,
      merchants: null,
      refundDays: till.refundDays,
    },
    onSignedOut,
  );
  return <ReadyCounter mode={mode} setting={setting} note={till.note} customerId={customerId} />;
}
