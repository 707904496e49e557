import { ArrowRightIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { cashValue, formatPoints, formatQar } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";

function Amount({ label, points, cash }: { label: string; points: string; cash: string }) {
  return (
    <div className="min-w-0 flex-1">
      <p className="truncate text-muted-foreground text-xs leading-4">{label}</p>
      <p className="truncate font-semibold tabular-nums leading-5">{points}</p>
      <p className="truncate text-muted-foreground text-xs tabular-nums leading-4 short:hidden">{cash}</p>
    </div>
  );
}

/** Current balance → new balance; without an amount the new balance is the current one. */
export function BalanceLine({
  balance,
  rate,
  change,
}: {
  balance: number;
  /** Dirhams per point. */
  rate: number;
  /** Signed points. */
  change: number;
}) {
  const t = useTranslations("counter");
  const locale = useLocale() as Locale;
  const after = {
    points: formatPoints(balance + change, locale),
    cash: formatQar(cashValue(balance + change, rate), locale),
  };
  return (
    <div className="flex items-center gap-3 rounded-lg bg-muted px-3 py-1.5 short:py-0.5">
      <Amount
        label={t("currentBalance")}
        points={formatPoints(balance, locale)}
        cash={formatQar(cashValue(balance, rate), locale)}
      />
      <ArrowRightIcon className="size-4 shrink-0 text-muted-foreground rtl:-scale-x-100" aria-hidden />
      <Amount label={t("newBalance")} {...after} />
      <p role="status" className="sr-only">
        {change !== 0 && `${t("newBalance")}: ${after.points}, ${after.cash}`}
      </p>
    </div>
  );
}
