"use client";

import { useMemo } from "react";
import { redirectToLogin } from "@/components/accounts/session/session";
import { RefundInList } from "@/components/ledger/refund-in-list";
import { MovementReceipt } from "@/components/receipts/movement-receipt";
import { useOfflineCounter } from "@/components/tills/offline/use-offline-counter";
import type { NoteGround } from "@/lib/cards/model/card-colours";
import type { MerchantChoice } from "@/lib/counter/model/counter";
import type { Role } from "@/lib/domain/roles";
import { Counter } from "./counter";
import { counterApi } from "./counter-api";
import type { CounterMode, CounterSetting, FirstRecent } from "./types";

export type CounterSettingProps = {
  role: Role;
  userId: string;
  handle: string;
  homeBranchId: string | null;
  /** The device is a till of the home branch. */
  ofBranch?: boolean;
  merchants: MerchantChoice[] | null;
  /**
   * The number of days for which the user may refund a redemption from a list: 0 for never, Infinity without a limit.
   */
  refundDays?: number;
  /** The first rows of the list beside the counter; a till has its own. */
  first?: FirstRecent;
};

const DAY_MS = 24 * 60 * 60 * 1000;

/** The counter's settings for the signed-in user, with its API calls. */
export function useCounterSetting(
  {
    role,
    userId,
    handle,
    homeBranchId,
    ofBranch = false,
    merchants,
    refundDays = 0,
    first,
  }: CounterSettingProps,
  onSignedOut: (ended: boolean) => void,
): CounterSetting {
  return useMemo(() => {
    const api = counterApi(handle, userId, first);
    return {
      api,
      merchants,
      homeBranchId,
      ofBranch,
      needsReason: role !== "branch_worker",
      ...(refundDays > 0
        ? {
            refundButton: (movement, onRefunded) =>
              Date.parse(movement.createdAt) > Date.now() - refundDays * DAY_MS && (
                <RefundInList movement={movement} session={handle} onRefunded={onRefunded} />
              ),
          }
        : {}),
      // A top-up that is only kept on the till has no number for a receipt yet.
      receipt: (movement) =>
        !movement.kept && (
          <MovementReceipt
            movement={movement}
            handle={handle}
            onSignedOut={onSignedOut}
            className="h-14 px-2 text-base"
          />
        ),
      onSignedOut,
    };
  }, [role, userId, handle, homeBranchId, ofBranch, merchants, refundDays, first, onSignedOut]);
}

/** The counter in a panel. */
export function PanelCounter({
  mode,
  note,
  customerId,
  ...props
}: CounterSettingProps & { mode: CounterMode; note: NoteGround | undefined; customerId: string | null }) {
  const setting = useCounterSetting(props, redirectToLogin);
  return <ReadyCounter mode={mode} setting={setting} note={note} customerId={customerId} />;
}

/** The counter; on a till it goes on without a connection, and says so. */
export function ReadyCounter({
  mode,
  setting,
  note,
  customerId,
}: {
  mode: CounterMode;
  setting: CounterSetting;
  note: NoteGround | undefined;
  customerId: string | null;
}) {
  const { api, banner, recentNote } = useOfflineCounter(mode, setting);
  const ready = useMemo(() => ({ ...setting, api, recentNote, note }), [setting, api, recentNote, note]);
  return (
    <>
      {banner}
      <Counter key={mode} mode={mode} setting={ready} customerId={customerId} />
    </>
  );
}
