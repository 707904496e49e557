import { LinkIcon } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { NoCard, OpenMyCard } from "@/app/customer/_frame";
import { CustomerFrame, CustomerNotice } from "@/components/layout/customer-frame";
import { LinkScreen } from "@/components/layout/link-screen";
import { runForBrowser } from "@/lib/api/page";
import { type ActionResult, DomainError } from "@/lib/domain/errors";
import { type MerchantNames, merchantName } from "@/lib/domain/localized-names";
import type { Locale } from "@/lib/domain/roles";
import type { Operation } from "@/lib/operations/operation";

export type LinkProps = { params: Promise<{ token: string }> };

type CardLink<Found> = {
  texts: "stop" | "device";
  /** Throws link_used once the link has done its work, and another code when it does not work. */
  read: Operation<{ token: string }, Found, { token: string }>;
  values: (found: Found, locale: Locale) => Record<string, string>;
  action: (input: { token: string }) => Promise<ActionResult<unknown>>;
};

/** The page behind a link in a mail about a card: the question with one button, or why the link does nothing. */
export const linkPage =
  <Found extends MerchantNames>({ texts, read, values, action }: CardLink<Found>) =>
  async ({ params }: LinkProps) => {
    const { token } = await params;
    const t = await getTranslations("cardLinks");
    const locale = await getLocale();
    const found = await runForBrowser(read, { token }).catch((error: unknown) => {
      if (error instanceof DomainError) return error.code === "link_used" ? "used" : "invalid";
      throw error;
    });
    if (found === "invalid") {
      return (
        <NoCard icon={LinkIcon} title={t("invalidTitle")}>
          {t("invalidText")}
        </NoCard>
      );
    }
    if (found === "used") {
      return (
        <CustomerFrame>
          <CustomerNotice icon={LinkIcon} title={t(`${texts}.usedTitle`)} action={<OpenMyCard />}>
            {t(`${texts}.usedText`)}
          </CustomerNotice>
        </CustomerFrame>
      );
    }
    const merchant = merchantName(found, locale);
    return (
      <CustomerFrame head={merchant}>
        <LinkScreen
          token={token}
          ask={{
            title: t(`${texts}.title`),
            text: t(`${texts}.text`, { merchant, ...values(found, locale) }),
          }}
          button={t(`${texts}.button`)}
          destructive
          done={{ title: t(`${texts}.doneTitle`), text: t(`${texts}.doneText`, { merchant }) }}
          after={<OpenMyCard />}
          action={action}
        />
      </CustomerFrame>
    );
  };
