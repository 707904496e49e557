import { useLocale, useTranslations } from "next-intl";
import type { HomeSpans } from "@/lib/domain/owner-home";
import type { Locale } from "@/lib/domain/roles";
import { formatShortDate, formatTime } from "@/lib/domain/time";

/** The days with which the figures are compared, and the hour up to which they count. */
export function ComparedWith({ spans: { period, before } }: { spans: HomeSpans }) {
  const t = useTranslations("home");
  const spans = useTranslations("list.spans");
  const locale = useLocale() as Locale;
  const [from, to] = [formatShortDate(before.from, locale), formatShortDate(before.to, locale)];
  const days = from === to ? from : spans("between", { from, to });
  return (
    <p className="text-muted-foreground text-sm tabular-nums">
      {t(`versus.${period}`)}
      {" · "}
      <bdi className="inline-block">
        {before.until ? t("until", { days, time: formatTime(before.until, locale) }) : days}
      </bdi>
    </p>
  );
}
