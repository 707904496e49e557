import { ClockIcon, XCircleIcon } from "lucide-react";
import Link from "next/link";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { MailboxNotice } from "@/components/accounts/mailbox-notice";
import { AuthPage } from "@/components/layout/auth-page";
import { ReapplyForm } from "@/components/merchants/reapply-form";
import { SignOutButton } from "@/components/panel/sign-out-button";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { profile } from "@/lib/accounts/profile";
import { ownMailbox } from "@/lib/accounts/prove-mailbox";
import { pageContext, pageTitle } from "@/lib/api/page";
import { merchantName } from "@/lib/domain/merchant-name";
import { homePath } from "@/lib/domain/panels";

export const generateMetadata = pageTitle("accountStatus.title");

/** The page that staff of a pending or rejected merchant see instead of their panel. */
export default async function AccountStatusPage() {
  const ctx = await pageContext();
  const t = await getTranslations("accountStatus");
  const { merchant, firstName, role } = await profile(ctx, {});
  if (!merchant || merchant.status === "approved") redirect(homePath(role));
  const rejected = merchant.status === "rejected";
  const Icon = rejected ? XCircleIcon : ClockIcon;
  return (
    <AuthPage
      title={t("greeting", { name: firstName })}
      intro={merchantName(merchant, ctx.locale)}
      handle={ctx.actor.handle}
    >
      <div className="flex flex-col gap-4">
        <Alert variant={rejected ? "destructive" : "warning"}>
          <Icon aria-hidden />
          <AlertTitle>{rejected ? t("rejected") : t("pending")}</AlertTitle>
          <AlertDescription>
            <bdi className="block">
              {rejected ? (merchant.statusReason ?? t("rejectedText")) : t("pendingText")}
            </bdi>
          </AlertDescription>
        </Alert>
        {rejected && role === "merchant_owner" && <ReapplyForm />}
        <MailboxNotice mailbox={await ownMailbox(ctx, {})} />
        {!rejected && (
          <Button asChild variant="outline" size="lg">
            <Link href={role === "branch_worker" ? "/help/cashier" : "/help/owner"}>{t("guide")}</Link>
          </Button>
        )}
        <Button asChild variant="outline" size="lg">
          <Link href={role === "branch_worker" ? "/employee/account" : "/merchant/account"}>
            {t("account")}
          </Link>
        </Button>
        <SignOutButton size="lg" className="w-full" />
      </div>
    </AuthPage>
  );
}
