import { LinkIcon } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { saveLocaleAction } from "@/app/_session/actions";
import { freezeCardAction, mailCardsAction } from "@/app/customer/actions";
import { OpenMyCard } from "@/components/cards/find-card";
import { FreezeScreen } from "@/components/cards/freeze-screen";
import { RecoverCard } from "@/components/cards/recover-card";
import { CustomerFrame, CustomerNotice } from "@/components/layout/customer-frame";
import { PageTools } from "@/components/theme/switches";
import { runForBrowser } from "@/lib/api/page";
import { freezableCard } from "@/lib/cards/freeze-card";
import { DomainError } from "@/lib/domain/errors";
import { merchantName } from "@/lib/domain/merchant-name";
import type { Locale } from "@/lib/domain/roles";

type Props = { params: Promise<{ token: string }> };

export async function generateMetadata() {
  return { title: (await getTranslations("freeze"))("pageTitle"), referrer: "no-referrer" as const };
}

async function cardOf(token: string) {
  try {
    return await runForBrowser(freezableCard, { token });
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

export default async function FreezePage({ params }: Props) {
  const t = await getTranslations("freeze");
  const { token } = await params;
  const card = await cardOf(token);
  const merchant = card && merchantName(card, (await getLocale()) as Locale);
  return (
    <CustomerFrame head={merchant ?? undefined} tools={<PageTools onLocale={saveLocaleAction} />}>
      {card && merchant ? (
        <FreezeScreen
          token={token}
          businessName={merchant}
          status={card.status}
          used={card.used}
          after={<OpenMyCard />}
          action={freezeCardAction}
        />
      ) : (
        <CustomerNotice
          icon={LinkIcon}
          title={t("invalidTitle")}
          action={<RecoverCard action={mailCardsAction} />}
        >
          {t("invalidText")}
        </CustomerNotice>
      )}
    </CustomerFrame>
  );
}
