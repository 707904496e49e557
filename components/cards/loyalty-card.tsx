"use client";

import { BanIcon, SnowflakeIcon, SunIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { askUnfreezeAction } from "@/app/customer/actions";
import { useAction } from "@/components/accounts/session/use-action";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { LIVE_CODE_SECONDS } from "@/lib/cards/model/card";
import type { CardColours } from "@/lib/cards/model/card-colours";
import { formatPoints, formatQar } from "@/lib/domain/money";
import { formatDate } from "@/lib/domain/time";
import { availableOf, useEndsNext, useReserved } from "./details";
import { CardFace, colourStyle } from "./face";
import type { CardView, CardViewState } from "./types";

function AskUnfreeze({ card }: { card: CardView }) {
  const t = useTranslations("card.unfreeze");
  const [asked, setAsked] = useState(false);
  const { pending, run } = useAction();
  const ask = () =>
    run(
      () => askUnfreezeAction({ customerId: card.id }),
      () => setAsked(true),
    );
  if (asked) return <p role="status">{t("asked")}</p>;
  return (
    <button
      type="button"
      aria-disabled={pending || undefined}
      onClick={() => pending || ask()}
      className="flex min-h-12 items-center gap-2 rounded-xl bg-white px-3 py-1.5 font-semibold text-slate-900"
    >
      {pending && <Spinner aria-hidden />}
      {t("ask")}
    </button>
  );
}

/** The amount with its digits apart from "QAR", which is smaller. */
function Qar({ amount }: { amount: string }) {
  const locale = useLocale();
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

function HolderName({ name }: { name: string }) {
  const [whole, setWhole] = useState(false);
  const text = <bdi>{name}</bdi>;
  if (name.length <= LONG_NAME) return <p className="loyalty-holder">{text}</p>;
  return (
    <button
      type="button"
      title={name}
      aria-expanded={whole}
      className="loyalty-holder"
      onClick={() => setWhole(!whole)}
    >
      {text}
    </button>
  );
}

function Frost({ card, status }: { card: CardView; status: "frozen" | "blocked" }) {
  const errors = useTranslations("errors");
  const Icon = status === "frozen" ? SnowflakeIcon : BanIcon;
  return (
    <div className="frost">
      <Icon className="size-9" aria-hidden />
      {status === "frozen" ? <AskUnfreeze card={card} /> : <p>{errors("customer_blocked")}</p>}
    </div>
  );
}

/** The card: upright on a phone, lying on a wider screen. */
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
  const locale = useLocale();
  const { merchant } = card;
  const { status } = state;
  const available = availableOf(state);
  const reserved = useReserved(state);
  const endsNext = useEndsNext(state);
  const person = [merchant.firstName, merchant.lastName].filter(Boolean).join(" ");
  // Only a change fades in: the first balance is shown with the page.
  const [firstBalance] = useState(available.points);
  const fade = available.points === firstBalance ? "" : "fade-in-50 animate-in duration-500";
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
          {/* A region that came with the change would not be read aloud. */}
          <div className="loyalty-cash" aria-live="polite">
            <p className="face-caption">{t("cashAvailable")}</p>
            <div key={available.points} className={`${fade} ${stale ? "opacity-70" : ""}`}>
              <Qar amount={available.cashValue} />
              <p className="loyalty-points">
                <bdi data-slot="balance">{formatPoints(available.points, locale)}</bdi>
                {reserved.short && <span data-slot="reserved">{reserved.short}</span>}
                {endsNext && <bdi data-slot="ends-next">{endsNext}</bdi>}
              </p>
            </div>
          </div>
          {status === "active" ? (
            <>
              <p className="loyalty-scan">{t("scan")}</p>
              <CardCode
                colours={merchant.colours}
                qr={state.qr ?? card.printedQr}
                liveAt={state.qr && state.at}
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
            <Frost card={card} status={status} />
          )}
          <div className="loyalty-foot">
            <div>
              <p className="face-caption">{t("cardHolder")}</p>
              <HolderName name={card.fullName || t("fallbackCustomer")} />
            </div>
            <div className="shrink-0">
              <p className="face-caption">{t("memberSince")}</p>
              <p className="font-medium tabular-nums leading-tight">
                {formatDate(card.registeredAt, locale)}
              </p>
            </div>
          </div>
        </div>
      </CardFace>
    </div>
  );
}

type Code = {
  /** A data URL. */
  qr: string;
  /** When the server drew a live code (ISO 8601); null for the printed one. */
  liveAt: string | null;
};

/** The time that the live code has left, as a ring that shrinks. */
function Ring({ liveAt }: { liveAt: string }) {
  const [style] = useState(() => ({
    animationDuration: `${LIVE_CODE_SECONDS}s`,
    animationDelay: `-${(Date.parse(liveAt) / 1000) % LIVE_CODE_SECONDS}s`,
  }));
  return (
    <span className="code-ring" style={style}>
      <span />
      <span />
    </span>
  );
}

function Panel({ qr, liveAt, children }: Code & { children?: ReactNode }) {
  const t = useTranslations("card");
  return (
    <div className="code isolate">
      {liveAt && <Ring key={qr} liveAt={liveAt} />}
      {/* biome-ignore lint/performance/noImgElement: a data URL, drawn on the server */}
      <img src={qr} alt={t("qrAlt")} width={176} height={176} data-slot="qr" className="code-image" />
      {children}
    </div>
  );
}

function CardCode({ colours, about, ...code }: Code & { colours: CardColours; about: ReactNode }) {
  const t = useTranslations("card");
  const [large, setLarge] = useState(false);
  return (
    <>
      <Panel {...code}>
        <button type="button" aria-label={t("code.show")} onClick={() => setLarge(true)} />
      </Panel>
      {large && (
        <CodeScreen {...code} colours={colours} onClose={() => setLarge(false)}>
          {about}
        </CodeScreen>
      )}
    </>
  );
}

function useWakeLock(): void {
  useEffect(() => {
    let lock: Promise<WakeLockSentinel | null> | undefined;
    const take = () => {
      if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
      // A phone that saves power may refuse.
      lock = navigator.wakeLock.request("screen").catch(() => null);
    };
    take();
    document.addEventListener("visibilitychange", take);
    return () => {
      document.removeEventListener("visibilitychange", take);
      void lock?.then((held) => held?.release());
    };
  }, []);
}

function CodeScreen({
  qr,
  liveAt,
  colours,
  onClose,
  children,
}: Code & { colours: CardColours; onClose: () => void; children: ReactNode }) {
  const t = useTranslations("card");
  const common = useTranslations("common");
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  useWakeLock();
  return (
    <dialog
      ref={dialog}
      className="code-screen"
      style={colourStyle(colours)}
      aria-label={t("qrAlt")}
      onClose={onClose}
    >
      <Panel qr={qr} liveAt={liveAt} />
      <div className="code-words">
        {children}
        <p className="text-slate-700 text-sm">
          <SunIcon className="me-2 inline size-5 align-text-bottom" aria-hidden />
          {t("code.bright")}
        </p>
      </div>
      <Button size="xl" autoFocus onClick={() => dialog.current?.close()}>
        {common("close")}
      </Button>
    </dialog>
  );
}
