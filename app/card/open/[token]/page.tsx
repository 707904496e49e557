import { LinkIcon } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { saveLocaleAction } from "@/app/_session/actions";
import { mailCardsAction, openCardAction } from "@/app/customer/actions";
import { OpenCard } from "@/components/cards/open-card";
import { RecoverCard } from "@/components/cards/recover-card";
import { CustomerFrame, CustomerNotice } from "@/components/layout/customer-frame";
import { PageTools } from "@/components/theme/switches";
import { runForBrowser } from "@/lib/api/page";
import { openableCard } from "@/lib/cards/mail-cards";
import { DomainError } from "@/lib/domain/errors";
import { merchantName } from "@/lib/domain/merchant-name";
import type { Locale } from "@/lib/domain/roles";

type Props = { params: Promise<{ token: string }> };

export async function generateMetadata() {
  return { title: (await getTranslations("cardLinks.open"))("pageTitle"), referrer: "no-referrer" as const };
}

async function read(token: string) {
  try {
    return await runForBrowser(openableCard, { token });
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

export default async function OpenCardPage({ params }: Props) {
  const t = await getTranslations("cardLinks.open");
  const { token } = await params;
  const found = await read(token);
  const tools = <PageTools onLocale={saveLocaleAction} />;
  if (!found) {
    return (
      <CustomerFrame tools={tools}>
        <CustomerNotice
          icon={LinkIcon}
          title={t("usedTitle")}
          action={<RecoverCard action={mailCardsAction} />}
        >
          {t("usedText")}
        </CustomerNotice>
      </CustomerFrame>
    );
  }
  const merchant = merchantName(found, (await getLocale()) as Locale);
  return (
    <CustomerFrame head={merchant} tools={tools}>
      <OpenCard token={token} businessName={merchant} action={openCardAction} />
    </CustomerFrame>
  );
}
