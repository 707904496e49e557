import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/utils";
import { relativeAge } from "@/lib/domain/time";

/** "5m ago". `Ages`, once on every page, keeps it right and shows the exact Qatar time on hover, focus or tap. */
export function RelativeTime({ date, className }: { date: Date | string | number; className?: string }) {
  const moment = new Date(date);
  const t = useTranslations("time");
  const { count, unit } = relativeAge(moment, new Date());
  return (
    // A list would have a tab stop in each row; the row leads to the exact time.
    <button type="button" tabIndex={-1} className={cn("age", className)}>
      <time dateTime={moment.toISOString()} suppressHydrationWarning>
        {t(unit, { count })}
      </time>
    </button>
  );
}
