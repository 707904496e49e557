import { LinkIcon } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { saveLocaleAction } from "@/app/_session/actions";
import { withTexts } from "@/app/_texts/page-texts";
import { stopEmailChangeAction } from "@/app/customer/actions";
import { CustomerFrame, CustomerNotice } from "@/components/layout/customer-frame";
import { LinkScreen } from "@/components/layout/link-screen";
import { PageTools } from "@/components/theme/switches";
import { stoppableChange } from "@/lib/cards/stop-email-change";
import { DomainError } from "@/lib/domain/errors";
import type { Locale } from "@/lib/domain/roles";
import { formatDateTime } from "@/lib/domain/time";
import { runForBrowser } from "@/lib/http/page";

type Props = { params: Promise<{ token: string }> };

export async function generateMetadata() {
  return { title: (await getTranslations("cardLinks.stop"))("pageTitle"), referrer: "no-referrer" as const };
}

async function read(token: string) {
  try {
    return await runForBrowser(stoppableChange, { token });
  } catch (error) {
    if (error instanceof DomainError) return error.code === "link_used" ? "used" : null;
    throw error;
  }
}

async function StopEmailChangePage({ params }: Props) {
  const t = await getTranslations("cardLinks");
  const locale = (await getLocale()) as Locale;
  const { token } = await params;
  const found = await read(token);
  if (found === null || found === "used") {
    const words =
      found === null
        ? { title: t("invalidTitle"), text: t("invalidText") }
        : { title: t("stop.usedTitle"), text: t("stop.usedText") };
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
          title: t("stop.title"),
          text: t("stop.text", { merchant, email: found.email, time: formatDateTime(found.dueAt, locale) }),
        }}
        button={t("stop.button")}
        destructive
        done={{ title: t("stop.doneTitle"), text: t("stop.doneText", { merchant }) }}
        action={stopEmailChangeAction}
      />
    </CustomerFrame>
  );
}

export default withTexts("card/email-change/[token]", StopEmailChangePage);
