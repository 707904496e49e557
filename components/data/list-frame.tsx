"use client";

import {
  createContext,
  type ReactNode,
  type TransitionStartFunction,
  useContext,
  useTransition,
} from "react";
import { cn } from "../ui/utils";
import { ListBoundary } from "./list-boundary";

type Frame = { pending: boolean; start: TransitionStartFunction };

const FrameContext = createContext<Frame>({ pending: false, start: (run) => void run() });

export const useListFrame = () => useContext(FrameContext);

/** Holds a list together with its filters: a change of any of them shows on the rows, too, until the new ones are here. */
export function ListFrame({ children }: { children: ReactNode }) {
  const [pending, start] = useTransition();
  return <FrameContext value={{ pending, start }}>{children}</FrameContext>;
}

/** A part of a list: dim while its successor loads, and one that fails says so in its own place. */
export function ListPart({ small, children }: { small?: boolean; children: ReactNode }) {
  const { pending } = useListFrame();
  return (
    <div
      aria-busy={pending}
      // Quick answers come without a flicker.
      className={cn("transition-opacity empty:hidden", pending && "opacity-60 delay-150")}
    >
      <ListBoundary small={small}>{children}</ListBoundary>
    </div>
  );
}
