import { useLocale, useTranslations } from "next-intl";
import { formatDay, formatTime } from "@/lib/domain/time";
import type { HomeSpans } from "@/lib/reports/model/owner-home";

/** The days of a span in one text: "23 Nov", "17 Nov – 23 Nov". */
export function useDaysText(): (span: { from: string; to: string }) => string {
  const t = useTranslations("list.spans");
  const locale = useLocale();
  return (span) => {
    const [from, to] = [formatDay(span.from, locale), formatDay(span.to, locale)];
    return from === to ? from : t("between", { from, to });
  };
}

/** The days and the place that the figures are of. */
export function PeriodTitle({ spans: { now }, place }: { spans: HomeSpans; place: string | null }) {
  const days = useDaysText();
  return (
    <>
      <bdi>{days(now)}</bdi>
      {place && (
        <>
          {" · "}
          <bdi>{place}</bdi>
        </>
      )}
    </>
  );
}

/** The days with which the figures are compared, and the hour up to which they count. */
export function ComparedWith({ spans: { period, before } }: { spans: HomeSpans }) {
  const t = useTranslations("home");
  const locale = useLocale();
  const days = useDaysText()(before);
  return (
    <>
      {t(`versus.${period}`)}
      {" · "}
      <bdi className="inline-block">
        {before.until ? t("until", { days, time: formatTime(before.until, locale) }) : days}
      </bdi>
    </>
  );
}
