"use client";

import { Dialog as DialogPrimitive } from "radix-ui";
import { Dialog, DialogPortal, DialogTitle } from "@/components/ui/dialog";
import type { Cashier } from "../device/cashier";
import type { TillState } from "../device/use-own-till";
import { AskTitle, AskWho } from "./ask-who";

/** Covers everything until somebody says who they are. What is behind it stays, and is out of reach. */
export function LockScreen({
  state,
  refresh,
  onSignedIn,
}: {
  state: TillState;
  refresh: () => Promise<void>;
  onSignedIn: (cashier: Cashier) => void;
}) {
  return (
    <Dialog open>
      <DialogPortal>
        <DialogPrimitive.Content
          aria-describedby={undefined}
          data-theme="blue"
          onEscapeKeyDown={(event) => event.preventDefault()}
          className="fixed inset-0 z-70 overflow-y-auto bg-background p-4 outline-none"
        >
          <div className="mx-auto flex min-h-full w-full max-w-2xl flex-col justify-center gap-6 py-6 landscape-phone:gap-2 landscape-phone:py-0 sm:[&_li]:w-48 sm:[&_ul]:flex sm:[&_ul]:flex-wrap sm:[&_ul]:justify-center">
            <div className="text-center">
              <DialogTitle className="text-2xl tracking-tight">
                <AskTitle state={state} />
              </DialogTitle>
              {state.kind === "ready" && (
                <p className="mt-1.5 text-muted-foreground text-sm">
                  <bdi>{state.till.name}</bdi> · <bdi>{state.till.branch.name}</bdi>
                </p>
              )}
            </div>
            <AskWho state={state} refresh={refresh} onSignedIn={onSignedIn} />
          </div>
        </DialogPrimitive.Content>
      </DialogPortal>
    </Dialog>
  );
}
