"use client";

import { useMemo } from "react";
import { Counter } from "@/components/counter/counter";
import type { CounterMode, CounterSetting } from "@/components/counter/types";
import { redirectToLogin } from "@/components/session/session";
import type { MerchantChoice } from "@/lib/domain/counter";
import type { Role } from "@/lib/domain/roles";
import { counterApi } from "./counter-api";

export type SettingProps = {
  role: Role;
  userId: string;
  handle: string;
  homeBranchId: string | null;
  merchants: MerchantChoice[] | null;
};

/** What the counter needs of the signed-in person, with its calls. */
export function useSetting(
  { role, userId, handle, homeBranchId, merchants }: SettingProps,
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

/** The counter within a panel. */
export function PanelCounter({
  mode,
  customerId,
  ...props
}: SettingProps & { mode: CounterMode; customerId: string | null }) {
  const setting = useSetting(props, redirectToLogin);
  return <Counter key={mode} mode={mode} setting={setting} customerId={customerId} />;
}
