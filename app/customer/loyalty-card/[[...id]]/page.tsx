import { SearchXIcon } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { NoCard } from "@/app/customer/_frame";
import { shownMerchant } from "@/app/customer/_merchant";
import { cardLocaleAction } from "@/app/customer/actions";
import { CardFromStorage, CardScreen } from "@/components/cards/card-screen";
import { RecoverCard } from "@/components/cards/recover-card";
import { CustomerFrame } from "@/components/layout/customer-frame";
import { runForBrowser } from "@/lib/api/page";
import { cardQr, readCard } from "@/lib/cards/card";
import { nullIfRefused } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";
import { availableWallets } from "@/lib/passes/google-wallet";

type Props = { params: Promise<{ id?: string[] }> };

export async function generateMetadata({ params }: Props) {
  const id = (await params).id?.[0];
  return {
    title: (await getTranslations("card"))("pageTitle"),
    // The private id in the path is a secret that must not leak through the Referer header.
    referrer: "no-referrer" as const,
    robots: { index: false },
    ...(isId(id) ? { manifest: `/card/manifest/${id.toLowerCase()}` } : {}),
  };
}

export default async function LoyaltyCardPage({ params }: Props) {
  const t = await getTranslations("card");
  const path = (await params).id ?? [];
  if (path.length === 0) {
    return (
      <CustomerFrame>
        <CardFromStorage recover={<RecoverCard />} />
      </CustomerFrame>
    );
  }
  const [id] = path;
  const customerId = path.length === 1 && isId(id) ? id.toLowerCase() : null;
  const card = customerId && (await runForBrowser(readCard, { customerId }).catch(nullIfRefused));
  if (!card) {
    return (
      <NoCard icon={SearchXIcon} title={t("unknownTitle")}>
        {t("unknownText")}
      </NoCard>
    );
  }
  const { merchant, balance, held, holds, cashValue, pockets, status, locale: _, ...own } = card;
  const { publicId, firstName, lastName, suspended } = merchant;
  const business = shownMerchant(merchant, await getLocale());
  const now = new Date();
  const shown = {
    ...own,
    merchant: { ...business, publicId, firstName, lastName },
    printedQr: await cardQr(card, false, now),
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
    <CustomerFrame wide head={business.businessName || t("fallbackBusiness")} onLocale={onLocale}>
      <h1 className="sr-only">{t("pageTitle")}</h1>
      <CardScreen
        key={`${card.id} ${card.isHolder}`}
        card={shown}
        initialState={first}
        wallets={await availableWallets()}
      />
    </CustomerFrame>
  );
}
