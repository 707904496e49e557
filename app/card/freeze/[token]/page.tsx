import { BanIcon, LinkIcon, ShieldAlertIcon, SnowflakeIcon } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { NoCard, OpenMyCard } from "@/app/customer/_frame";
import { freezeCardAction } from "@/app/customer/actions";
import { CustomerFrame, CustomerNotice } from "@/components/layout/customer-frame";
import { LinkScreen } from "@/components/layout/link-screen";
import { runForBrowser, secretPageTitle } from "@/lib/api/page";
import { freezableCard } from "@/lib/cards/freeze-card";
import { nullIfRefused } from "@/lib/domain/errors";
import { merchantName } from "@/lib/domain/localized-names";
import type { LinkProps } from "../../_link/link-page";

export const generateMetadata = secretPageTitle("freeze.pageTitle");

const NOTICES = {
  used: { icon: ShieldAlertIcon, title: "usedTitle", text: "usedText" },
  frozen: { icon: SnowflakeIcon, title: "alreadyTitle", text: "doneText" },
  blocked: { icon: BanIcon, title: "blockedTitle", text: "blockedText" },
} as const;

/** The page behind "This was not me": one button freezes the card. */
export default async function FreezePage({ params }: LinkProps) {
  const t = await getTranslations("freeze");
  const { token } = await params;
  const card = await runForBrowser(freezableCard, { token }).catch(nullIfRefused);
  if (!card) {
    return (
      <NoCard icon={LinkIcon} title={t("invalidTitle")}>
        {t("invalidText")}
      </NoCard>
    );
  }
  const merchant = merchantName(card, await getLocale());
  const state = card.status === "active" && card.used ? "used" : card.status;
  if (state !== "active") {
    const { icon, title, text } = NOTICES[state];
    return (
      <CustomerFrame head={merchant}>
        <CustomerNotice live icon={icon} title={t(title)} action={<OpenMyCard />}>
          {t(text, { merchant })}
        </CustomerNotice>
      </CustomerFrame>
    );
  }
  return (
    <CustomerFrame head={merchant}>
      <LinkScreen
        token={token}
        ask={{ title: t("title"), text: t("text", { merchant }) }}
        button={t("freeze")}
        destructive
        done={{ title: t("doneTitle"), text: t("doneText", { merchant }) }}
        freezes
        after={<OpenMyCard />}
        action={freezeCardAction}
      />
    </CustomerFrame>
  );
}
