"use client";

import { useCallback, useEffect, useState } from "react";
import { type Device, readDevice } from "@/components/till-device/device";
import { writeMark } from "@/components/till-device/mark";
import { knownTill, type OwnTill } from "./own-till";
import { readOwnTill } from "./till-api";

/**
 * The till that this browser is. "none": it is no till; "retired": it was one; "ready": with what is known of it, which may
 * be of the last time while `isFresh` is false.
 */
export type TillState =
  | { kind: "loading" | "none" | "retired" | "lost" }
  | { kind: "ready"; device: Device; till: OwnTill; isFresh: boolean };

/** Reads this browser's till, and again with `refresh`. */
export function useOwnTill(): { state: TillState; refresh: () => Promise<void> } {
  const [state, setState] = useState<TillState>({ kind: "loading" });
  const refresh = useCallback(async () => {
    const device = await readDevice().catch(() => null);
    if (!device) {
      writeMark(null);
      return setState({ kind: "none" });
    }
    const known = knownTill();
    if (known?.id === device.till.id) setState({ kind: "ready", device, till: known, isFresh: false });
    const answer = await readOwnTill(device);
    if (answer.kind === "ok") setState({ kind: "ready", device, till: answer.till, isFresh: true });
    // Without an answer, what is known stays.
    else if (answer.kind === "retired" || known?.id !== device.till.id) setState({ kind: answer.kind });
  }, []);
  useEffect(() => void refresh(), [refresh]);
  return { state, refresh };
}
