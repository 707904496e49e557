import { useTranslations } from "next-intl";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/components/ui/utils";

/** What stands where a list will, as high as its rows: a table from 768 px, cards below. */
export function ListSkeleton({
  rows = 10,
  tall = false,
  fields = 4,
}: {
  rows?: number;
  /** For rows of two lines; the others have one, with buttons. */
  tall?: boolean;
  /** The lines below a card's heading. */
  fields?: number;
}) {
  const t = useTranslations("common");
  const keys = Array.from({ length: rows }, (_, index) => `row-${index}`);
  return (
    <div role="status">
      <span className="sr-only">{t("loading")}</span>
      <div className="overflow-hidden rounded-xl border bg-card shadow-card max-md:hidden">
        <div className="flex h-10 items-center gap-4 border-b bg-muted/60 px-4">
          <Skeleton className="h-3 w-1/5" />
          <Skeleton className="h-3 w-24" />
          <Skeleton className="ms-auto h-3 w-20" />
        </div>
        {keys.map((key) => (
          <div
            key={key}
            className={cn(
              "flex items-center gap-4 border-b px-4 py-(--cell-y) last:border-b-0",
              tall ? "h-[calc(2*var(--cell-y)+2.4rem)]" : "h-[calc(2*var(--cell-y)+2rem)]",
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
          <div key={key} className="flex flex-col gap-1.5 rounded-xl border bg-card p-4 shadow-card">
            <div className="flex h-7 items-center">
              <Skeleton className="h-5 w-1/2" />
            </div>
            {Array.from({ length: fields }, (_, index) => `field-${index}`).map((field) => (
              <div
                key={field}
                className={cn(
                  "flex items-center justify-between",
                  tall && field === "field-1" ? "h-9.5" : "h-5",
                )}
              >
                <Skeleton className="h-3.5 w-20" />
                <Skeleton className="h-3.5 w-28" />
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
