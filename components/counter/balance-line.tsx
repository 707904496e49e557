import { ArrowRightIcon, UserRoundIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { formatPhone } from "@/lib/domain/contact";
import { cashValue, formatCount, formatPoints, formatQar } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import type { CounterCustomer } from "./types";

function Amount({
  label,
  points,
  cash,
  strong,
}: {
  label: string;
  points: string;
  cash: string;
  strong?: boolean;
}) {
  return (
    <div className="min-w-0 flex-1">
      <p className="text-muted-foreground text-xs">{label}</p>
      <p
        className={
          strong
            ? "truncate font-bold text-lg text-primary-strong tabular-nums leading-snug"
            : "truncate font-semibold text-lg tabular-nums leading-snug"
        }
      >
        {points}
      </p>
      <p className="truncate text-muted-foreground text-xs tabular-nums">{cash}</p>
    </div>
  );
}

/** Current balance → amount → new balance; without an amount the new balance is the current one. */
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
  return (
    <div className="flex items-center gap-3 rounded-lg bg-muted px-3 py-2">
      <Amount
        label={t("currentBalance")}
        points={formatPoints(balance, locale)}
        cash={formatQar(cashValue(balance, rate), locale)}
      />
      <div className="flex shrink-0 flex-col items-center">
        {change !== 0 && (
          <bdi className="font-bold text-sm tabular-nums" dir="ltr">
            {change > 0 ? "+" : "−"}
            {formatCount(Math.abs(change))}
          </bdi>
        )}
        <ArrowRightIcon className="size-4 text-muted-foreground rtl:-scale-x-100" aria-hidden />
      </div>
      <Amount
        label={t("newBalance")}
        points={formatPoints(balance + change, locale)}
        cash={formatQar(cashValue(balance + change, rate), locale)}
        strong
      />
      <p role="status" className="sr-only">
        {change !== 0 &&
          `${t("newBalance")}: ${formatPoints(balance + change, locale)}, ${formatQar(cashValue(balance + change, rate), locale)}`}
      </p>
    </div>
  );
}

/** The customer at the counter, in large type. */
export function CustomerBanner({ customer }: { customer: CounterCustomer }) {
  const t = useTranslations("counter");
  const contact = customer.phone ? formatPhone(customer.phone) : (customer.email ?? t("noEmail"));
  return (
    <div className="flex min-w-0 items-center gap-3">
      <span className="inline-flex size-11 shrink-0 items-center justify-center rounded-full bg-primary-soft text-primary-strong">
        <UserRoundIcon className="size-5" aria-hidden />
      </span>
      <div className="min-w-0">
        <p className="truncate font-semibold text-lg leading-tight">
          <bdi>{customer.fullName || t("unknownCustomer")}</bdi>
        </p>
        <p className="truncate text-muted-foreground text-sm">
          <bdi dir="ltr">{contact}</bdi>
          {" · "}
          <bdi>{customer.merchant?.businessName || t("unknownMerchant")}</bdi>
        </p>
      </div>
    </div>
  );
}
