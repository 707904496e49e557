import { useLocale, useTranslations } from "next-intl";
import { cashValue, formatQar } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";

/** The paid and the bonus part of an amount, in QAR and unsigned: the amount has the sign. */
export function PocketsLine({ paid, bonus, rate }: { paid: number; bonus: number; rate: number }) {
  const t = useTranslations("movements");
  const locale = useLocale() as Locale;
  const worth = (points: number) => formatQar(cashValue(Math.abs(points), rate), locale);
  return <bdi>{t("pockets", { paid: worth(paid), bonus: worth(bonus) })}</bdi>;
}
