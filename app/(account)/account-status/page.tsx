import { ClockIcon, XCircleIcon } from "lucide-react";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { MailboxNotice } from "@/components/accounts/mailbox-notice";
import { AuthPage } from "@/components/layout/auth-page";
import { ReapplyForm } from "@/components/merchants/reapply-form";
import { SignOutButton } from "@/components/panel/sign-out-button";
import { Alert } from "@/components/ui/alert";
import { LinkButton } from "@/components/ui/button";
import { profile } from "@/lib/accounts/profile";
import { ownMailbox } from "@/lib/accounts/prove-mailbox";
import { pageContext, pageTitle } from "@/lib/api/page";
import { merchantName } from "@/lib/domain/localized-names";
import { homePath } from "@/lib/domain/panels";

export const generateMetadata = pageTitle("accountStatus.title");

/** The page that staff of a pending or rejected merchant see instead of their panel. */
export default async function AccountStatusPage() {
  const ctx = await pageContext();
  const t = await getTranslations("accountStatus");
  const { merchant, firstName, role } = await profile(ctx, {});
  if (!merchant || merchant.status === "approved") redirect(homePath(role));
  const rejected = merchant.status === "rejected";
  return (
    <AuthPage
      title={t("greeting", { name: firstName })}
      intro={merchantName(merchant, ctx.locale)}
      handle={ctx.actor.handle}
    >
      <div className="flex flex-col gap-4">
        <Alert
          variant={rejected ? "destructive" : "warning"}
          icon={rejected ? XCircleIcon : ClockIcon}
          title={rejected ? t("rejected") : t("pending")}
        >
          <bdi className="block">
            {rejected ? (merchant.statusReason ?? t("rejectedText")) : t("pendingText")}
          </bdi>
        </Alert>
        {rejected && role === "merchant_owner" && <ReapplyForm />}
        <MailboxNotice mailbox={await ownMailbox(ctx, {})} />
        {!rejected && (
          <LinkButton
            variant="outline"
            size="lg"
            href={role === "branch_worker" ? "/help/cashier" : "/help/owner"}
          >
            {t("guide")}
          </LinkButton>
        )}
        <LinkButton
          variant="outline"
          size="lg"
          href={role === "branch_worker" ? "/employee/account" : "/merchant/account"}
        >
          {t("account")}
        </LinkButton>
        <SignOutButton size="lg" className="w-full" />
      </div>
    </AuthPage>
  );
}
