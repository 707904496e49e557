"use client";

import { SnowflakeIcon, WifiOffIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Alert, AlertDescription } from "@/components/ui/alert";
import type { Locale } from "@/lib/domain/roles";
import { CardDetails } from "./details";
import { cardMoment } from "./format";
import { LoyaltyCard } from "./loyalty-card";
import type { ShownCard, ShownState } from "./types";
import { useCardState } from "./use-card-state";

/** The card's page: the card with its live balance, what can be done with it, its details. */
export function CardScreen({
  card,
  first,
  actions,
  children,
}: {
  card: ShownCard;
  /** The state when the page was made. */
  first: ShownState;
  /** Buttons for taking the card along. */
  actions?: ReactNode;
  /** What only the holder sees, or how to become one. */
  children?: ReactNode;
}) {
  const t = useTranslations("card");
  const errors = useTranslations("errors");
  const locale = useLocale() as Locale;
  const { state, stale } = useCardState(card.id, first);
  return (
    <div className="flex flex-col gap-6 pt-2 lg:pt-6">
      {state.status !== "active" && (
        <Alert variant="warning" className="mx-auto max-w-140">
          <SnowflakeIcon aria-hidden />
          <AlertDescription>{errors(`customer_${state.status}`)}</AlertDescription>
        </Alert>
      )}
      <LoyaltyCard card={card} state={state} stale={stale} />
      {stale && (
        <p role="status" className="flex items-center justify-center gap-2 text-muted-foreground text-sm">
          <WifiOffIcon className="size-4" aria-hidden />
          {t("asOf", { time: cardMoment(locale, state.at) })}
        </p>
      )}
      {actions && (
        <div className="mx-auto flex w-full max-w-88 flex-col gap-2 sm:max-w-140 sm:flex-row sm:flex-wrap [&>*]:grow">
          {actions}
        </div>
      )}
      <div className="mx-auto grid w-full max-w-140 gap-6 lg:max-w-none lg:grid-cols-2 lg:items-start">
        <CardDetails card={card} state={state} />
        {children}
      </div>
    </div>
  );
}
