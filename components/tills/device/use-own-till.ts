"use client";

import { useCallback, useEffect, useState } from "react";
import { readOwnTill } from "../sign-in/till-api";
import { type Device, readDevice } from "./device";
import { writeMark } from "./mark";
import { knownTill, type OwnTill, TILL_KNOWN } from "./own-till";

/** "retired": it was a till before. "lost": unknown now. `known`: is `till` of now, or of the last answer. */
export type TillState =
  | { kind: "loading" | "none" | "retired" | "lost" }
  | { kind: "ready"; device: Device; till: OwnTill; known: "now" | "asking" | "lost" };

/** Reads this browser's till, and again with `refresh`. An answer for another part of the page is taken too. */
export function useOwnTill(): { state: TillState; refresh: () => Promise<void> } {
  const [state, setState] = useState<TillState>({ kind: "loading" });
  const refresh = useCallback(async () => {
    const device = await readDevice().catch(() => undefined);
    // The browser may still have its key, so it stays a till.
    if (device === undefined) return setState({ kind: "lost" });
    if (device === null) {
      writeMark(null);
      return setState({ kind: "none" });
    }
    const before = knownTill();
    const till = before?.id === device.till.id ? before : null;
    if (till) setState({ kind: "ready", device, till, known: "asking" });
    const answer = await readOwnTill(device);
    if (answer.kind === "ok") setState({ kind: "ready", device, till: answer.till, known: "now" });
    else if (answer.kind === "lost" && till) setState({ kind: "ready", device, till, known: "lost" });
    else setState({ kind: answer.kind });
  }, []);
  useEffect(() => void refresh(), [refresh]);
  useEffect(() => {
    const follow = () => {
      const till = knownTill();
      setState((old) =>
        old.kind === "ready" && till?.id === old.till.id ? { ...old, till, known: "now" } : old,
      );
    };
    window.addEventListener(TILL_KNOWN, follow);
    return () => window.removeEventListener(TILL_KNOWN, follow);
  }, []);
  return { state, refresh };
}
