import { SearchXIcon } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { saveLocaleAction } from "@/app/_session/actions";
import {
  askUnfreezeAction,
  cancelEmailChangeAction,
  cardLocaleAction,
  cardStatementAction,
  changeEmailAction,
  eraseCustomerAction,
  freezeOwnCardAction,
  mailCardsAction,
  proveHolderAction,
  sendCardCodeAction,
  sendNewEmailCodeAction,
} from "@/app/customer/actions";
import { CardFromStorage, CardScreen } from "@/components/cards/card-screen";
import { RecoverCard } from "@/components/cards/recover-card";
import { CustomerFrame, CustomerNotice } from "@/components/layout/customer-frame";
import { PageTools } from "@/components/theme/switches";
import { runForBrowser } from "@/lib/api/page";
import { cardQr, readCard } from "@/lib/cards/card";
import type { CardProfile } from "@/lib/cards/model/card";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";
import { merchantName } from "@/lib/domain/merchant-name";
import type { Locale } from "@/lib/domain/roles";
import { imageUrl, smallLogoUrl } from "@/lib/files/media-url";
import { availableWallets } from "@/lib/passes/google-wallet";

const ACTIONS = {
  statement: cardStatementAction,
  sendCode: sendCardCodeAction,
  prove: proveHolderAction,
  sendNewEmail: sendNewEmailCodeAction,
  changeEmail: changeEmailAction,
  cancelEmail: cancelEmailChangeAction,
  freeze: freezeOwnCardAction,
  askUnfreeze: askUnfreezeAction,
  erase: eraseCustomerAction,
};

type Props = { params: Promise<{ id?: string[] }> };

export async function generateMetadata({ params }: Props) {
  const id = (await params).id?.[0];
  return {
    title: (await getTranslations("card"))("pageTitle"),
    // The private id in the path is a secret that must not leak through the Referer header.
    referrer: "no-referrer" as const,
    robots: { index: false },
    // The manifest makes the card installable.
    ...(isId(id) ? { manifest: `/card/manifest/${id.toLowerCase()}` } : {}),
  };
}

async function cardOf(id: string | undefined): Promise<CardProfile | null> {
  if (!isId(id)) return null;
  try {
    return await runForBrowser(readCard, { customerId: id.toLowerCase() });
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

export default async function LoyaltyCardPage({ params }: Props) {
  const t = await getTranslations("card");
  const path = (await params).id ?? [];
  if (path.length === 0) {
    return (
      <CustomerFrame tools={<PageTools onLocale={saveLocaleAction} />}>
        <CardFromStorage recover={<RecoverCard action={mailCardsAction} />} />
      </CustomerFrame>
    );
  }
  const card = path.length === 1 ? await cardOf(path[0]) : null;
  if (!card) {
    return (
      <CustomerFrame tools={<PageTools onLocale={saveLocaleAction} />}>
        <CustomerNotice
          icon={SearchXIcon}
          title={t("unknownTitle")}
          action={<RecoverCard action={mailCardsAction} />}
        >
          {t("unknownText")}
        </CustomerNotice>
      </CustomerFrame>
    );
  }
  const { merchant, registeredAt, balance, held, holds, cashValue, pockets, status, ...rest } = card;
  const { locale: _locale, ...own } = rest;
  const { id: _merchantId, imageKey, logoKey, businessNameAr: _ar, suspended, ...business } = merchant;
  const businessName = merchantName(merchant, (await getLocale()) as Locale);
  const now = new Date();
  const shown = {
    ...own,
    registeredAt: registeredAt.toISOString(),
    merchant: { ...business, businessName, imageUrl: imageUrl(imageKey), logoUrl: smallLogoUrl(logoKey) },
    printedQr: await cardQr(card, false, now),
    pendingEmail: card.pendingEmail && { ...card.pendingEmail, dueAt: card.pendingEmail.dueAt.toISOString() },
  };
  const first = {
    balance,
    held,
    holds: holds.map(({ until, ...hold }) => ({ ...hold, until: until.toISOString() })),
    endsNext: pockets.endsNext,
    cashValue,
    status,
    suspended,
    qr: card.isHolder ? await cardQr(card, true, now) : null,
    at: now.toISOString(),
  };
  const onLocale = cardLocaleAction.bind(null, card.id);
  return (
    <CustomerFrame
      wide
      head={businessName || t("fallbackBusiness")}
      tools={<PageTools onLocale={onLocale} />}
    >
      <h1 className="sr-only">{t("pageTitle")}</h1>
      <CardScreen
        key={`${card.id} ${card.isHolder}`}
        card={shown}
        initialState={first}
        actions={ACTIONS}
        wallets={await availableWallets()}
      />
    </CustomerFrame>
  );
}
