import { useTranslations } from "next-intl";
import { Skeleton } from "@/components/ui/skeleton";

/** The placeholder of a list, as high as its rows: a table from 900 px, narrow rows below. */
export function ListSkeleton({ rows = 14 }: { rows?: number }) {
  const t = useTranslations("common");
  const keys = Array.from({ length: rows }, (_, index) => `row-${index}`);
  return (
    <div role="status" className="list">
      <span className="sr-only">{t("loading")}</span>
      <div className="surface">
        <div className="waiting-head">
          <Skeleton className="h-3 w-1/5" />
          <Skeleton className="ms-auto h-3 w-20" />
        </div>
        {keys.map((key) => (
          <div key={key} className="waiting">
            <Skeleton className="h-4 w-1/3" />
            <Skeleton className="ms-auto h-4 w-20" />
          </div>
        ))}
      </div>
    </div>
  );
}
