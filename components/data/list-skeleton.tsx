import { useTranslations } from "next-intl";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/components/ui/utils";

type Shape = {
  /** Rows of two lines, instead of one line with buttons. */
  tall?: boolean;
  /** The number of lines below a card's heading. */
  lines?: number;
  /** Cards that end with buttons. */
  buttons?: boolean;
};

/** The placeholder of a list, as high as its rows: a table from 768 px, cards below. */
export function ListSkeleton({ rows = 10, ...shape }: Shape & { rows?: number }) {
  const t = useTranslations("common");
  const keys = Array.from({ length: rows }, (_, index) => `row-${index}`);
  return (
    <div role="status">
      <span className="sr-only">{t("loading")}</span>
      <div className="overflow-hidden rounded-xl border bg-card shadow-card max-md:hidden">
        <div className="flex h-10 items-center gap-4 border-b bg-muted/60 px-(--cell-x)">
          <Skeleton className="h-3 w-1/5" />
          <Skeleton className="h-3 w-24" />
          <Skeleton className="ms-auto h-3 w-20" />
        </div>
        {keys.map((key) => (
          <div
            key={key}
            className={cn(
              "flex items-center gap-4 border-b px-(--cell-x) last:border-b-0",
              shape.tall ? "h-[calc(2*var(--cell-y)+2.4rem)]" : "h-[calc(2*var(--cell-y)+2rem)]",
            )}
          >
            <Skeleton className="h-4 w-1/4" />
            <Skeleton className="h-4 w-1/6" />
            <Skeleton className="h-4 w-1/6" />
            <Skeleton className="ms-auto h-4 w-20" />
          </div>
        ))}
      </div>
      <div className="flex flex-col gap-3 md:hidden">
        {keys.map((key) => (
          <CardSkeleton key={key} {...shape} />
        ))}
      </div>
    </div>
  );
}

function CardSkeleton({ tall, lines = 1, buttons }: Shape) {
  return (
    <div className="flex flex-col gap-1 rounded-xl border bg-card px-4 py-3 shadow-card">
      <div className={cn("mb-1 flex items-center justify-between", tall ? "h-9.5" : "h-6")}>
        <Skeleton className="h-5 w-2/5" />
        <Skeleton className="h-5 w-20" />
      </div>
      {Array.from({ length: lines }, (_, index) => `line-${index}`).map((line) => (
        <div key={line} className="flex h-5 items-center">
          <Skeleton className="h-3.5 w-3/5" />
        </div>
      ))}
      {buttons && (
        <div className="flex h-9.5 items-end justify-end gap-2">
          <Skeleton className="h-8 w-20" />
          <Skeleton className="h-8 w-24" />
        </div>
      )}
    </div>
  );
}
