import { useTranslations } from "next-intl";
import { Skeleton } from "@/components/ui/skeleton";

/** What stands where a list will. */
export function ListSkeleton({ rows = 8 }: { rows?: number }) {
  const t = useTranslations("common");
  return (
    <div role="status" className="overflow-hidden rounded-xl border bg-card shadow-card">
      <span className="sr-only">{t("loading")}</span>
      <div className="border-b bg-muted/60 px-4 py-3">
        <Skeleton className="h-4 w-40" />
      </div>
      {Array.from({ length: rows }, (_, index) => `row-${index}`).map((key) => (
        <div key={key} className="flex items-center gap-4 border-b px-4 py-3.5 last:border-b-0">
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-4 w-1/5 max-md:hidden" />
          <Skeleton className="ms-auto h-4 w-20" />
        </div>
      ))}
    </div>
  );
}
