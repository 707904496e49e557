import { useLocale, useTranslations } from "next-intl";
import { formatPoints } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";

/** The paid and the bonus part of a movement, unsigned: the amount has the sign. */
export function PocketsLine({ paid, bonus }: { paid: number; bonus: number }) {
  const t = useTranslations("movements");
  const locale = useLocale() as Locale;
  const amounts = {
    paid: formatPoints(Math.abs(paid), locale),
    bonus: formatPoints(Math.abs(bonus), locale),
  };
  return <bdi>{t("pockets", amounts)}</bdi>;
}
