import { LinkIcon } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { saveLocaleAction } from "@/app/_session/actions";
import { withTexts } from "@/app/_texts/page-texts";
import { endDeviceAction } from "@/app/customer/actions";
import { CustomerFrame, CustomerNotice } from "@/components/layout/customer-frame";
import { LinkScreen } from "@/components/layout/link-screen";
import { PageTools } from "@/components/theme/switches";
import { endableDevice } from "@/lib/cards/card-devices";
import { DomainError } from "@/lib/domain/errors";
import type { Locale } from "@/lib/domain/roles";
import { formatDateTime } from "@/lib/domain/time";
import { runForBrowser } from "@/lib/http/page";

type Props = { params: Promise<{ token: string }> };

export async function generateMetadata() {
  return {
    title: (await getTranslations("cardLinks.device"))("pageTitle"),
    referrer: "no-referrer" as const,
  };
}

async function read(token: string) {
  try {
    return await runForBrowser(endableDevice, { token });
  } catch (error) {
    if (error instanceof DomainError) return error.code === "link_used" ? "used" : null;
    throw error;
  }
}

async function EndDevicePage({ params }: Props) {
  const t = await getTranslations("cardLinks");
  const locale = (await getLocale()) as Locale;
  const { token } = await params;
  const found = await read(token);
  if (found === null || found === "used") {
    const words =
      found === null
        ? { title: t("invalidTitle"), text: t("invalidText") }
        : { title: t("device.usedTitle"), text: t("device.usedText") };
    return (
      <CustomerFrame tools={<PageTools onLocale={saveLocaleAction} />}>
        <CustomerNotice icon={LinkIcon} title={words.title}>
          {words.text}
        </CustomerNotice>
      </CustomerFrame>
    );
  }
  const { businessName: merchant } = found;
  return (
    <CustomerFrame head={merchant} tools={<PageTools onLocale={saveLocaleAction} />}>
      <LinkScreen
        token={token}
        ask={{
          title: t("device.title"),
          text: t("device.text", { merchant, time: formatDateTime(found.since, locale) }),
        }}
        button={t("device.button")}
        destructive
        done={{ title: t("device.doneTitle"), text: t("device.doneText", { merchant }) }}
        action={endDeviceAction}
      />
    </CustomerFrame>
  );
}

export default withTexts("card/device/[token]", EndDevicePage);
