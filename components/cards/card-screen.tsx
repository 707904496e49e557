"use client";

import {
  CirclePauseIcon,
  KeyRoundIcon,
  ReceiptIcon,
  ShieldAlertIcon,
  SnowflakeIcon,
  WalletCardsIcon,
  WifiOffIcon,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { proveHolderAction, sendCardCodeAction } from "@/app/customer/actions";
import { useMailedCode } from "@/components/codes/use-mailed-code";
import { FieldError } from "@/components/forms/field-error";
import { CustomerNotice } from "@/components/layout/customer-frame";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { useNotify } from "@/components/ui/notify";
import { PageSpinner, Spinner } from "@/components/ui/spinner";
import { useLoaded } from "@/components/ui/use-loaded";
import type { DataOf } from "@/lib/calls/codec";
import type { cardCalls } from "@/lib/cards/names";
import { TUNNEL_HEADER } from "@/lib/domain/paths";
import { formatDateTime } from "@/lib/domain/time";
import { CardButtons } from "./card-buttons";
import { CardDetails } from "./details";
import { LoyaltyCard } from "./loyalty-card";
import { cacheCardState, clearCachedCard, newerCachedState, useOfflineCard } from "./offline";
import { Branded } from "./sign-up/merchant-face";
import { Statement } from "./statement";
import { readCustomerInfo } from "./stored-data";
import type { CardView, CardViewState, WalletOffer } from "./types";
import { YourData } from "./your-data";

const POLL_MILLISECONDS = 4_000;
const RATE_LIMITED_POLL_MILLISECONDS = 15_000;
/** After this time a stalled request counts as a lost connection, because a live code lives only 30 seconds. */
const TIMEOUT_MILLISECONDS = 8_000;

class CardGone extends Error {}

async function readState(customerId: string, signal: AbortSignal): Promise<CardViewState> {
  const response = await fetch(`/api/customer/${customerId}/balance`, {
    cache: "no-store",
    headers: TUNNEL_HEADER,
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MILLISECONDS)]),
  });
  if (!response.ok) {
    // Null if the answer is not from this API, such as the page of a proxy or a captive portal.
    const refusal = (await response.json().catch(() => null)) as { code?: string } | null;
    throw refusal?.code === "customer_not_found" ? new CardGone() : new Error(String(response.status));
  }
  const { data } = (await response.json()) as { data: DataOf<(typeof cardCalls)["readCardState"]["reply"]> };
  if (typeof data?.sBalance !== "number") throw new Error("no state");
  const { oJustPaid: paid, oPockets } = data;
  const { iEndsNext, dEndsNext } = oPockets;
  return {
    balance: data.sBalance,
    endsNext: iEndsNext && dEndsNext ? { points: iEndsNext, day: dEndsNext } : null,
    cashValue: data.sCashValue,
    held: data.iHeld ?? 0,
    holds: (data.aHolds ?? []).map(({ iPoints, sBranchName, sBranchNameAr, dExpiresAt: until }) => ({
      points: iPoints,
      branch: { name: sBranchName, nameAr: sBranchNameAr ?? null },
      until,
    })),
    justPaid: paid ? { points: paid.sPoints, at: paid.dAt, freezeUrl: paid.sFreezeUrl } : null,
    status: data.eStatus,
    suspended: data.bSuspended ?? false,
    qr: data.sLiveQRCode,
    at: data.dAt,
  };
}

/** Polls while the page is visible. `stale`: the last request failed, so the QR is the printed one. */
function useCardState(customerId: string, initialState: CardViewState, onGone: () => void) {
  const [state, setState] = useState(initialState);
  const [stale, setStale] = useState(false);
  const whenGone = useEffectEvent(onGone);
  useEffect(() => {
    const control = new AbortController();
    let latest = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function poll() {
      clearTimeout(timer);
      if (document.visibilityState !== "visible") return;
      // A request that is still on its way would replace the newer answer, or call it stale.
      latest.abort();
      latest = new AbortController();
      const { signal } = latest;
      let pause = POLL_MILLISECONDS;
      try {
        const next = await readState(customerId, signal);
        cacheCardState(customerId, next);
        setState(next);
        setStale(false);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof CardGone) whenGone();
        setStale(true);
        setState((shown) => ({ ...shown, ...newerCachedState(customerId, shown), qr: null }));
        if (error instanceof Error && error.message === "429") pause = RATE_LIMITED_POLL_MILLISECONDS;
      }
      clearTimeout(timer);
      timer = setTimeout(poll, pause);
    }
    const pollNow = () => void poll();
    void poll();
    document.addEventListener("visibilitychange", pollNow, { signal: control.signal });
    window.addEventListener("online", pollNow, { signal: control.signal });
    return () => {
      control.abort();
      latest.abort();
      clearTimeout(timer);
    };
  }, [customerId]);
  return { state, stale };
}

const loadCodeStep = () => import("@/components/codes/code-step");

/** Shown on a device that is not known as the holder's: a mailed code confirms the holder. */
function HolderGate({ card }: { card: CardView }) {
  const t = useTranslations("card");
  const api = useTranslations("api");
  const notify = useNotify();
  const router = useRouter();
  const codeStep = useLoaded(loadCodeStep);
  const code = useMailedCode({
    send: () => sendCardCodeAction({ customerId: card.id, purpose: "card_holder" }),
    // The first one is said above the field.
    onSent: () => code.sent && notify.success(api("otpSent")),
    enter: (digits) => proveHolderAction({ customerId: card.id, code: digits }),
    onDone: () => router.refresh(),
  });
  return (
    <Card className="gap-4">
      <CardHeader>
        <CardTitle className="flex items-center gap-2">
          <KeyRoundIcon className="size-5" aria-hidden />
          {t("gateTitle")}
        </CardTitle>
        <CardDescription>{code.sent ? t("gateSent") : t("gateText")}</CardDescription>
      </CardHeader>
      <CardContent className="flex flex-col gap-3">
        {code.sent ? (
          codeStep.part ? (
            <codeStep.part.CodeStep code={code} submitLabel={t("gateConfirm")} />
          ) : codeStep.failed ? (
            <Button size="xl" onClick={codeStep.want}>
              {t("tryAgain")}
            </Button>
          ) : (
            <Spinner />
          )
        ) : (
          <>
            {code.problem && <FieldError>{code.problem}</FieldError>}
            <Button
              size="xl"
              disabled={code.busy}
              onClick={() => {
                codeStep.want();
                void code.send();
              }}
            >
              {code.busy && <Spinner aria-hidden />}
              {t("gateSend")}
            </Button>
          </>
        )}
      </CardContent>
    </Card>
  );
}

/** The card page: the card with its live balance, its actions, its details and the holder's own section. */
export function CardScreen({
  card,
  initialState,
  wallets,
}: {
  card: CardView;
  initialState: CardViewState;
  wallets: WalletOffer;
}) {
  const t = useTranslations("card");
  const locale = useLocale();
  const router = useRouter();
  useOfflineCard();
  const { state, stale } = useCardState(
    card.id,
    initialState,
    // After the refresh, the page says that the card does not exist.
    () => void clearCachedCard(card.id).then(() => router.refresh()),
  );
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,35rem)_minmax(0,1fr)] lg:items-start lg:gap-8 lg:pt-4">
      <div className="grid gap-4 lg:sticky lg:top-4">
        {stale && (
          <p role="status" className="flex items-center justify-center gap-2 text-muted-foreground text-sm">
            <WifiOffIcon className="size-4" aria-hidden />
            {t("asOf", { time: formatDateTime(new Date(state.at), locale) })}
          </p>
        )}
        {state.suspended && (
          <Alert
            variant="warning"
            className="mx-auto max-w-140 landscape-phone:max-w-3xl"
            icon={CirclePauseIcon}
          >
            {t("suspended", { merchant: card.merchant.businessName })}
          </Alert>
        )}
        {state.justPaid && state.status === "active" && !stale && <JustPaid paid={state.justPaid} />}
        <LoyaltyCard card={card} state={state} stale={stale} />
        {state.status === "frozen" && (
          <Alert
            variant="warning"
            className="mx-auto max-w-140 landscape-phone:max-w-3xl"
            icon={SnowflakeIcon}
          >
            {t("unfreeze.text")}
          </Alert>
        )}
        <CardButtons card={card} status={state.status} stale={stale} wallets={wallets} />
      </div>
      <div className="mx-auto grid w-full max-w-140 gap-6 lg:max-w-none landscape-phone:max-w-3xl">
        {card.isHolder ? (
          <Statement customerId={card.id} balance={state.balance} held={state.held ?? 0} stale={stale} />
        ) : (
          <Branded colours={card.merchant.colours}>
            <HolderGate card={card} />
          </Branded>
        )}
        <CardDetails card={card} state={state} />
        {card.isHolder && (
          <YourData
            card={card}
            state={state}
            onDeleted={() => {
              void clearCachedCard(card.id);
              router.replace(`/card/deleted?merchantId=${card.merchant.publicId}`);
            }}
          />
        )}
      </div>
    </div>
  );
}

function JustPaid({ paid }: { paid: NonNullable<CardViewState["justPaid"]> }) {
  const t = useTranslations("card");
  const locale = useLocale();
  return (
    <Alert
      role="status"
      className="mx-auto max-w-140 landscape-phone:max-w-3xl"
      icon={ReceiptIcon}
      textClass="flex flex-wrap items-center justify-between gap-x-4 gap-y-2"
    >
      <span>{t("justPaid", { points: paid.points, time: formatDateTime(new Date(paid.at), locale) })}</span>
      <Button variant="outline" size="sm" asChild>
        <a href={paid.freezeUrl}>
          <ShieldAlertIcon aria-hidden /> {t("notMe")}
        </a>
      </Button>
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
