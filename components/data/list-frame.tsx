"use client";

import { RotateCwIcon, TriangleAlertIcon } from "lucide-react";
import { unstable_rethrow, useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import {
  Component,
  createContext,
  type ReactNode,
  type TransitionStartFunction,
  useContext,
  useTransition,
} from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "../ui/utils";

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

type Props = {
  /** A part of a line or two: its failure takes no more. */
  small?: boolean;
  children: ReactNode;
};
type State = { failed: boolean; children?: ReactNode };

/** What stands in its children's place when they fail; new children are shown again. */
class ListBoundary extends Component<Props, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(error: unknown): State {
    // Next's own signals are no faults: not found, redirects.
    unstable_rethrow(error);
    return { failed: true };
  }

  static getDerivedStateFromProps({ children }: Props, state: State): State | null {
    if (!state.failed) return state.children === undefined ? null : { failed: false };
    if (state.children === undefined) return { failed: true, children };
    return state.children === children ? null : { failed: false };
  }

  override render() {
    return this.state.failed ? <Failed small={this.props.small} /> : this.props.children;
  }
}

/** Says that a part of the page failed, and asks the server for it again. */
function Failed({ small }: { small?: boolean }) {
  const t = useTranslations("list");
  const router = useRouter();
  const [pending, start] = useTransition();
  const again = (
    <Button
      variant={small ? "outline" : "default"}
      aria-disabled={pending || undefined}
      onClick={() => pending || start(() => router.refresh())}
    >
      {pending ? <Spinner /> : <RotateCwIcon aria-hidden />} {t("tryAgain")}
    </Button>
  );
  return (
    <div role="alert" className="mb-4 rounded-xl border bg-card shadow-card">
      {small ? (
        <div className="flex flex-wrap items-center justify-between gap-2 p-3 ps-4">
          <p className="flex items-center gap-2 text-sm">
            <TriangleAlertIcon className="size-4 shrink-0 text-muted-foreground" aria-hidden /> {t("failed")}
          </p>
          {again}
        </div>
      ) : (
        <EmptyState
          icon={TriangleAlertIcon}
          title={t("failed")}
          description={t("failedText")}
          action={again}
        />
      )}
    </div>
  );
}
