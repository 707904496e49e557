import { LinkIcon } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { NoCard } from "@/app/customer/_frame";
import { OpenCard } from "@/components/cards/open-card";
import { CustomerFrame } from "@/components/layout/customer-frame";
import { runForBrowser, secretPageTitle } from "@/lib/api/page";
import { openableCard } from "@/lib/cards/mail-cards";
import { nullIfRefused } from "@/lib/domain/errors";
import { merchantName } from "@/lib/domain/localized-names";
import type { LinkProps } from "../../_link/link-page";

export const generateMetadata = secretPageTitle("cardLinks.open.pageTitle");

export default async function OpenCardPage({ params }: LinkProps) {
  const t = await getTranslations("cardLinks.open");
  const { token } = await params;
  const found = await runForBrowser(openableCard, { token }).catch(nullIfRefused);
  if (!found) {
    return (
      <NoCard icon={LinkIcon} title={t("usedTitle")}>
        {t("usedText")}
      </NoCard>
    );
  }
  const merchant = merchantName(found, await getLocale());
  return (
    <CustomerFrame head={merchant}>
      <OpenCard token={token} merchant={merchant} />
    </CustomerFrame>
  );
}
