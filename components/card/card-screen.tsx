"use client";

import { SnowflakeIcon, WalletCardsIcon, WifiOffIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { CustomerNotice } from "@/components/layout/customer-frame";
import { Alert, AlertDescription } from "@/components/ui/alert";
import { PageSpinner } from "@/components/ui/spinner";
import type { Locale } from "@/lib/domain/roles";
import { CardDetails, cardMoment } from "./details";
import { HolderGate } from "./holder-gate";
import { readInfo } from "./kept-data";
import { LoyaltyCard } from "./loyalty-card";
import { forgetCard, useOffline } from "./offline";
import { Statement } from "./statement";
import type { CardActions, ShownCard, ShownState } from "./types";
import { useCardState } from "./use-card-state";
import { YourData } from "./your-data";

/** The card's page: the card with its live balance, what can be done with it, its details and its holder's own part. */
export function CardScreen({
  card,
  first,
  actions,
  buttons,
}: {
  card: ShownCard;
  /** The state when the page was made. */
  first: ShownState;
  actions: CardActions;
  /** For taking the card along: the download, the wallets. */
  buttons?: ReactNode;
}) {
  const t = useTranslations("card");
  const errors = useTranslations("errors");
  const locale = useLocale() as Locale;
  const router = useRouter();
  useOffline();
  const { state, stale } = useCardState(card.id, first, card.printedQr);
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
      {buttons && (
        <div className="mx-auto flex w-full max-w-88 flex-col gap-2 sm:max-w-140 sm:flex-row sm:flex-wrap [&>*]:grow">
          {buttons}
        </div>
      )}
      <div className="mx-auto grid w-full max-w-140 gap-6 lg:max-w-none lg:grid-cols-2 lg:items-start">
        {/* On a phone the statement comes between the two. */}
        <div className="contents lg:grid lg:gap-6">
          <CardDetails card={card} state={state} />
          {card.isHolder && (
            <div className="order-last">
              <YourData
                customerId={card.id}
                state={state}
                actions={actions}
                onDeleted={() => {
                  void forgetCard(card.id);
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

/** Opens the card that this browser registered last, or says how to find one. */
export function CardFromStorage() {
  const t = useTranslations("card");
  const router = useRouter();
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    const info = readInfo();
    if (info) router.replace(`/customer/loyalty-card/${encodeURIComponent(info.customerId)}`);
    else setMissing(true);
  }, [router]);
  if (!missing) return <PageSpinner />;
  return (
    <CustomerNotice icon={WalletCardsIcon} title={t("noIdTitle")}>
      {t("noIdText")}
    </CustomerNotice>
  );
}
