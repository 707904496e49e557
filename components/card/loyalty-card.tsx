"use client";

import { useLocale, useTranslations } from "next-intl";
import type { PointerEvent, ReactNode } from "react";
import { cn } from "@/components/ui/utils";
import { cardColours } from "@/lib/domain/card";
import { formatCount, formatQar } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { formatCardDay } from "./details";
import { CardFace } from "./face";
import type { CardView, CardViewState } from "./types";

const TILT_DEGREES = 5;

/** Tilts the card towards the mouse. With touch or reduced motion the card stays still. */
function tilt(event: PointerEvent<HTMLDivElement>) {
  if (event.pointerType !== "mouse" || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const box = event.currentTarget.getBoundingClientRect();
  const x = (event.clientX - box.left) / box.width - 0.5;
  const y = (event.clientY - box.top) / box.height - 0.5;
  event.currentTarget.style.transform = `perspective(900px) rotateX(${-y * TILT_DEGREES}deg) rotateY(${x * TILT_DEGREES}deg)`;
}

function Caption({ children, className }: { children: ReactNode; className?: string }) {
  return <p className={cn("font-medium text-white/80 text-xs tracking-wide", className)}>{children}</p>;
}

/** The card: portrait on a phone, landscape on a wider screen, always in the proportions of a bank card. */
export function LoyaltyCard({
  card,
  state,
  stale,
}: {
  card: CardView;
  state: CardViewState;
  stale: boolean;
}) {
  const t = useTranslations("card");
  const locale = useLocale() as Locale;
  const { merchant } = card;
  const person = [merchant.firstName, merchant.lastName].filter(Boolean).join(" ");
  return (
    <div
      onPointerMove={tilt}
      onPointerLeave={(event) => {
        event.currentTarget.style.transform = "";
      }}
      className="mx-auto w-full max-w-88 transition-transform duration-200 ease-out will-change-transform sm:max-w-140"
    >
      <CardFace
        colours={cardColours(merchant.id)}
        imageUrl={merchant.imageUrl}
        className="aspect-[1/1.586] sm:aspect-[1.586]"
      >
        <div className="grid size-full grid-cols-1 grid-rows-[auto_1fr_auto_auto] gap-x-6 gap-y-4 p-5 [grid-template-areas:'head'_'code'_'cash'_'foot'] [text-shadow:0_1px_6px_rgb(0_0_0/0.35)] sm:grid-cols-[1fr_auto] sm:grid-rows-[auto_1fr_auto] sm:p-7 sm:[grid-template-areas:'head_code'_'cash_code'_'foot_foot']">
          <header className="min-w-0 [grid-area:head]">
            <p className="line-clamp-2 text-balance font-semibold text-2xl leading-tight">
              {merchant.businessName || t("fallbackBusiness")}
            </p>
            {person && <p className="mt-0.5 truncate text-sm text-white/80">{person}</p>}
          </header>
          <figure className="flex flex-col items-center justify-center gap-2 [grid-area:code]">
            <div
              className={cn(
                "relative rounded-2xl bg-white p-3 shadow-[0_10px_30px_-12px_rgb(0_0_0/0.7)] transition-opacity",
                state.status !== "active" && "opacity-35",
              )}
            >
              {/* biome-ignore lint/performance/noImgElement: a data URL, drawn on the server */}
              <img
                src={state.qr}
                alt={t("qrAlt")}
                width={176}
                height={176}
                className="size-44 [image-rendering:pixelated] sm:size-40"
                data-slot="qr"
              />
            </div>
            <figcaption className="font-medium text-sm">{t("scan")}</figcaption>
          </figure>
          <div className="self-end [grid-area:cash]">
            <Caption>{t("cashAvailable")}</Caption>
            <p
              key={state.balance}
              aria-live="polite"
              className={cn(
                "fade-in-50 zoom-in-95 mt-0.5 flex animate-in flex-wrap items-baseline gap-x-2 duration-500",
                stale && "opacity-70",
              )}
            >
              <bdi
                data-slot="balance"
                className="font-semibold text-4xl tabular-nums leading-none tracking-tight"
              >
                {formatCount(state.balance)}
              </bdi>
              <span className="font-medium text-lg text-white/85">{t("points")}</span>
              <bdi className="ms-auto font-medium text-(--card-accent) text-base tabular-nums sm:ms-1">
                {formatQar(state.cashValue, locale)}
              </bdi>
            </p>
          </div>
          <footer className="flex items-end justify-between gap-4 border-white/20 border-t pt-3 [grid-area:foot]">
            <div className="min-w-0">
              <Caption>{t("cardHolder")}</Caption>
              <p
                className={cn(
                  "wrap-anywhere font-medium leading-tight",
                  card.fullName && card.fullName.length > 28 && "text-sm",
                )}
              >
                <bdi>{card.fullName || t("fallbackCustomer")}</bdi>
              </p>
            </div>
            <div className="shrink-0 text-end">
              <Caption>{t("memberSince")}</Caption>
              <p className="font-medium tabular-nums">{formatCardDay(locale, card.registeredAt)}</p>
            </div>
          </footer>
        </div>
      </CardFace>
    </div>
  );
}
