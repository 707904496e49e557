"use client";

import { useMemo } from "react";
import { Counter } from "@/components/counter/counter";
import type { CounterMode, CounterSetting } from "@/components/counter/types";
import { redirectToLogin } from "@/components/session/session";
import type { MerchantChoice } from "@/lib/domain/counter";
import type { Role } from "@/lib/domain/roles";
import { counterApi } from "./counter-api";

export type CounterSettingProps = {
  role: Role;
  userId: string;
  handle: string;
  homeBranchId: string | null;
  merchants: MerchantChoice[] | null;
};

/** The counter's settings for the signed-in user, with its API calls. */
export function useCounterSetting(
  { role, userId, handle, homeBranchId, merchants }: CounterSettingProps,
  onSignedOut: (ended: boolean) => void,
): CounterSetting {
  return useMemo(
    () => ({
      api: counterApi(handle, userId),
      merchants,
      homeBranchId,
      needsReason: role !== "branch_worker",
      onSignedOut,
    }),
    [role, userId, handle, homeBranchId, merchants, onSignedOut],
  );
}

/** The counter in a panel. */
export function PanelCounter({
  mode,
  customerId,
  ...props
}: CounterSettingProps & { mode: CounterMode; customerId: string | null }) {
  const setting = useCounterSetting(props, redirectToLogin);
  return <Counter key={mode} mode={mode} setting={setting} customerId={customerId} />;
}
