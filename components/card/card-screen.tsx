"use client";

import {
  CirclePauseIcon,
  ReceiptIcon,
  ShieldAlertIcon,
  SnowflakeIcon,
  WalletCardsIcon,
  WifiOffIcon,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { CustomerNotice } from "@/components/layout/customer-frame";
import { Alert, AlertDescription } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { PageSpinner } from "@/components/ui/spinner";
import type { Locale } from "@/lib/domain/roles";
import { CardDetails, formatCardTime } from "./details";
import { AskUnfreeze } from "./freeze-own";
import { HolderGate } from "./holder-gate";
import { LoyaltyCard } from "./loyalty-card";
import { clearCachedCard, useOfflineCard } from "./offline";
import { Statement } from "./statement";
import { readCustomerInfo } from "./stored-data";
import type { CardActions, CardView, CardViewState } from "./types";
import { useCardState } from "./use-card-state";
import { YourData } from "./your-data";

/** The card page: the card with its live balance, its actions, its details and the holder's own section. */
export function CardScreen({
  card,
  initialState,
  actions,
  buttons,
}: {
  card: CardView;
  /** The state when the server rendered the page. */
  initialState: CardViewState;
  actions: CardActions;
  /** The download and wallet buttons. */
  buttons?: ReactNode;
}) {
  const t = useTranslations("card");
  const errors = useTranslations("errors");
  const locale = useLocale() as Locale;
  const router = useRouter();
  useOfflineCard();
  const { state, stale } = useCardState(card.id, initialState, card.printedQr);
  return (
    <div className="flex flex-col gap-6 pt-2 lg:pt-6">
      {state.status !== "active" && (
        <Alert variant="warning" className="mx-auto max-w-140">
          <SnowflakeIcon aria-hidden />
          <AlertDescription>{errors(`customer_${state.status}`)}</AlertDescription>
        </Alert>
      )}
      {state.status === "frozen" && <AskUnfreeze card={card} actions={actions} />}
      {state.suspended && (
        <Alert variant="warning" className="mx-auto max-w-140">
          <CirclePauseIcon aria-hidden />
          <AlertDescription>{t("suspended", { merchant: card.merchant.businessName })}</AlertDescription>
        </Alert>
      )}
      {state.justPaid && state.status === "active" && !stale && <JustPaid paid={state.justPaid} />}
      <LoyaltyCard card={card} state={state} stale={stale} />
      {stale && (
        <p role="status" className="flex items-center justify-center gap-2 text-muted-foreground text-sm">
          <WifiOffIcon className="size-4" aria-hidden />
          {t("asOf", { time: formatCardTime(locale, state.at) })}
        </p>
      )}
      {buttons && (
        <div className="mx-auto flex w-full max-w-88 flex-col gap-2 sm:max-w-140 sm:flex-row sm:flex-wrap [&>*]:grow">
          {buttons}
        </div>
      )}
      <div className="mx-auto grid w-full max-w-140 gap-6 lg:max-w-none lg:grid-cols-2 lg:items-start">
        {/* On a phone the statement is placed between the two. */}
        <div className="contents lg:grid lg:gap-6">
          <CardDetails card={card} state={state} />
          {card.isHolder && (
            <div className="order-last">
              <YourData
                card={card}
                state={state}
                actions={actions}
                onDeleted={() => {
                  void clearCachedCard(card.id);
                  router.replace("/card/deleted");
                }}
              />
            </div>
          )}
        </div>
        {card.isHolder ? (
          <Statement customerId={card.id} balance={state.balance} read={actions.statement} />
        ) : (
          <HolderGate card={card} actions={actions} />
        )}
      </div>
    </div>
  );
}

/** What the live code has just paid, and the way to freeze the card where it was not the holder. */
function JustPaid({ paid }: { paid: NonNullable<CardViewState["justPaid"]> }) {
  const t = useTranslations("card");
  const locale = useLocale() as Locale;
  return (
    <Alert role="status" className="mx-auto max-w-140">
      <ReceiptIcon aria-hidden />
      <AlertDescription className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <span>{t("justPaid", { points: paid.points, time: formatCardTime(locale, paid.at) })}</span>
        <Button variant="outline" size="sm" asChild>
          <a href={paid.freezeUrl}>
            <ShieldAlertIcon aria-hidden /> {t("notMe")}
          </a>
        </Button>
      </AlertDescription>
    </Alert>
  );
}

/** Opens the card that this browser registered last, or explains how to find one, with `recover` to have it mailed. */
export function CardFromStorage({ recover }: { recover: ReactNode }) {
  const t = useTranslations("card");
  const router = useRouter();
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    const info = readCustomerInfo();
    if (info) router.replace(`/customer/loyalty-card/${encodeURIComponent(info.customerId)}`);
    else setMissing(true);
  }, [router]);
  if (!missing) return <PageSpinner />;
  return (
    <CustomerNotice icon={WalletCardsIcon} title={t("noIdTitle")} action={recover}>
      {t("noIdText")}
    </CustomerNotice>
  );
}
