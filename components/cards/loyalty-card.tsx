"use client";

import { BanIcon, SnowflakeIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { formatPoints, formatQar, partValue } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { formatShortDate } from "@/lib/domain/time";
import { availableOf } from "./available";
import { CardCode } from "./card-code";
import { formatCardDay } from "./details";
import { CardFace } from "./face";
import { AskUnfreeze } from "./freeze-own";
import { useReserved } from "./reserved";
import type { CardActions, CardView, CardViewState } from "./types";

/** The amount with its digits apart from "QAR", which is smaller. */
function Qar({ amount }: { amount: string }) {
  const locale = useLocale() as Locale;
  const [before, digits, after] = formatQar(amount, locale).split(/([\d.,−]*\d)/);
  return (
    <bdi className="loyalty-qar" data-slot="cash">
      {before?.trim()}
      <span>{digits}</span>
      {after?.trim()}
    </bdi>
  );
}

const LONG_NAME = 22;

/** The holder's name: a long one takes two lines, and a tap shows all of it. */
function HolderName({ name }: { name: string }) {
  const [whole, setWhole] = useState(false);
  if (name.length <= LONG_NAME) {
    return (
      <p className="loyalty-holder">
        <bdi>{name}</bdi>
      </p>
    );
  }
  return (
    <button
      type="button"
      title={name}
      aria-expanded={whole}
      className="loyalty-holder"
      onClick={() => setWhole(!whole)}
    >
      <bdi>{name}</bdi>
    </button>
  );
}

/** In the code's place on a card that can't be used. */
function Frost({
  card,
  status,
  actions,
}: {
  card: CardView;
  status: "frozen" | "blocked";
  actions: CardActions;
}) {
  const errors = useTranslations("errors");
  const Icon = status === "frozen" ? SnowflakeIcon : BanIcon;
  return (
    <div className="frost">
      <Icon className="size-9" aria-hidden />
      {status === "frozen" ? (
        <AskUnfreeze card={card} actions={actions} />
      ) : (
        <p>{errors("customer_blocked")}</p>
      )}
    </div>
  );
}

/** The card: upright on a phone, lying on a wider screen. */
export function LoyaltyCard({
  card,
  state,
  stale,
  actions,
}: {
  card: CardView;
  state: CardViewState;
  stale: boolean;
  actions: CardActions;
}) {
  const t = useTranslations("card");
  const locale = useLocale() as Locale;
  const { merchant } = card;
  const { status, endsNext } = state;
  const available = availableOf(state);
  const reserved = useReserved(state);
  const person = [merchant.firstName, merchant.lastName].filter(Boolean).join(" ");
  // Only a change fades in: the first balance is shown with the page.
  const [firstBalance] = useState(available.points);
  const fade = available.points === firstBalance ? "" : "fade-in-50 animate-in duration-500";
  const live = card.isHolder && !stale && state.qr !== card.printedQr;
  return (
    <div className="loyalty">
      <CardFace
        colours={merchant.colours}
        imageUrl={merchant.imageUrl}
        logoUrl={merchant.logoUrl}
        off={status !== "active"}
        title={
          <>
            <p dir="auto">{merchant.businessName || t("fallbackBusiness")}</p>
            {person && <p dir="auto">{person}</p>}
          </>
        }
      >
        <div className="loyalty-body">
          <div className="loyalty-cash">
            <p className="face-caption">{t("cashAvailable")}</p>
            <div key={available.points} aria-live="polite" className={`${fade} ${stale ? "opacity-70" : ""}`}>
              <Qar amount={available.cashValue} />
              <p className="loyalty-points">
                <bdi data-slot="balance">{formatPoints(available.points, locale)}</bdi>
                {reserved.short && <span data-slot="reserved">{reserved.short}</span>}
                {endsNext && (
                  <bdi data-slot="ends-next">
                    {t("endsNext", {
                      amount: formatQar(partValue(endsNext.points, state.balance, state.cashValue), locale),
                      day: formatShortDate(endsNext.day, locale),
                    })}
                  </bdi>
                )}
              </p>
            </div>
          </div>
          {status === "active" ? (
            <>
              <p className="loyalty-scan">{t("scan")}</p>
              <CardCode
                colours={merchant.colours}
                qr={state.qr}
                liveAt={live ? state.at : null}
                about={
                  <>
                    <p className="font-semibold">
                      <bdi>{merchant.businessName || t("fallbackBusiness")}</bdi>
                    </p>
                    <p>
                      <bdi>{card.fullName || t("fallbackCustomer")}</bdi> ·{" "}
                      <bdi>{formatQar(available.cashValue, locale)}</bdi>
                    </p>
                  </>
                }
              />
            </>
          ) : (
            <Frost card={card} status={status} actions={actions} />
          )}
          <div className="loyalty-foot">
            <div>
              <p className="face-caption">{t("cardHolder")}</p>
              <HolderName name={card.fullName || t("fallbackCustomer")} />
            </div>
            <div className="shrink-0">
              <p className="face-caption">{t("memberSince")}</p>
              <p className="font-medium tabular-nums leading-tight">
                {formatCardDay(locale, card.registeredAt)}
              </p>
            </div>
          </div>
        </div>
      </CardFace>
    </div>
  );
}
