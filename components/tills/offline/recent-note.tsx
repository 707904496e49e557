"use client";

import { CloudOffIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import type { Locale } from "@/lib/domain/roles";
import { formatDateTime } from "@/lib/domain/time";

/** Above the recent list without a connection: from when its rows are, or that there are none of before. */
export const recentNote = (asOf: number | null) => <RecentNote asOf={asOf} />;

function RecentNote({ asOf }: { asOf: number | null }) {
  const t = useTranslations("offlineCounter.recent");
  const locale = useLocale() as Locale;
  return (
    <p
      role="status"
      className="flex items-start gap-2 border-b p-4 text-muted-foreground text-sm last:border-b-0"
    >
      <CloudOffIcon className="mt-0.5 size-4 shrink-0" aria-hidden />
      {asOf === null ? t("nothing") : t("asOf", { time: formatDateTime(new Date(asOf), locale) })}
    </p>
  );
}
