"use client";

import { RotateCwIcon, TriangleAlertIcon } from "lucide-react";
import { unstable_rethrow, useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import {
  Component,
  createContext,
  type ReactNode,
  Suspense,
  type TransitionStartFunction,
  useContext,
  useEffect,
  useMemo,
  useOptimistic,
  useState,
  useTransition,
} from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "../ui/utils";

const FrameContext = createContext({
  pending: false,
  start: ((run) => void run()) as TransitionStartFunction,
  /** The query of the navigation under way, or null. A second change builds on it, not on the page that is shown. */
  next: null as string | null,
  setNext: (_query: string) => {},
  count: null as number | null,
  setCount: (_count: number | null) => {},
});

export const useListFrame = () => useContext(FrameContext);

/** Groups a list with its filters, so that the rows are shown as pending while a filter change loads. */
export function ListFrame({ children }: { children: ReactNode }) {
  const [pending, start] = useTransition();
  const [next, setNext] = useOptimistic<string | null>(null);
  const [count, setCount] = useState<number | null>(null);
  const frame = useMemo(
    () => ({ pending, start, next, setNext, count, setCount }),
    [pending, next, setNext, count],
  );
  return (
    <FrameContext value={frame}>
      <div className="frame">{children}</div>
    </FrameContext>
  );
}

/** Tells the filters how many rows match. */
export function ListCount({ count }: { count: number | null }) {
  const { setCount } = useListFrame();
  useEffect(() => {
    setCount(count);
    return () => setCount(null);
  }, [count, setCount]);
  return null;
}

type PartProps = {
  /** For a part of a line or two: its error message is as small. */
  small?: boolean;
  fallback?: ReactNode;
  children: ReactNode;
};

/** A part of a list, dimmed while new content loads. With a `fallback` at first, it has a boundary that shows it. */
export function ListPart({ small, fallback, children }: PartProps) {
  const { pending } = useListFrame();
  // A refresh may be quicker or slower than the first answer. A boundary that came or went would lose all that is open or typed inside.
  const [bounded] = useState(fallback !== undefined);
  return (
    <div
      aria-busy={pending}
      // The delay avoids a flicker on quick answers.
      className={cn("transition-opacity empty:hidden", pending && "opacity-60 delay-150")}
    >
      <ListBoundary small={small} bounded={bounded} fallback={fallback}>
        {children}
      </ListBoundary>
    </div>
  );
}

type BoundaryProps = PartProps & { bounded: boolean };
/** `failing` are the children that failed, from the first render after their failure on. */
type State = { failed: boolean; failing?: ReactNode };

/** Replaces children that fail by an error message; new children reset it. */
class ListBoundary extends Component<BoundaryProps, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(error: unknown): State {
    // Next's control-flow errors (not found, redirect) are not failures.
    unstable_rethrow(error);
    return { failed: true, failing: undefined };
  }

  static getDerivedStateFromProps({ children }: BoundaryProps, { failed, failing }: State): State | null {
    if (!failed) return null;
    if (failing === undefined) return { failed, failing: children };
    return failing === children ? null : { failed: false };
  }

  override render() {
    const { small, bounded, fallback, children } = this.props;
    if (this.state.failed) return <Failed small={small} />;
    return bounded ? <Suspense fallback={fallback}>{children}</Suspense> : children;
  }
}

function Failed({ small }: { small?: boolean }) {
  const t = useTranslations("list");
  const router = useRouter();
  const [pending, start] = useTransition();
  const retryButton = (
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
          {retryButton}
        </div>
      ) : (
        <EmptyState
          icon={TriangleAlertIcon}
          title={t("failed")}
          description={t("failedText")}
          action={retryButton}
        />
      )}
    </div>
  );
}
