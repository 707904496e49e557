import { CircleCheckIcon, LinkIcon, LogInIcon } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { confirmMailboxAction } from "@/app/_session/actions";
import { AuthPage } from "@/components/layout/auth-page";
import { CustomerNotice } from "@/components/layout/customer-frame";
import { LinkScreen } from "@/components/layout/link-screen";
import { LinkButton } from "@/components/ui/button";
import { mailboxOf } from "@/lib/accounts/prove-mailbox";
import { publicPageContext, secretPageTitle } from "@/lib/api/page";
import { nullIfRefused } from "@/lib/domain/errors";

export const generateMetadata = secretPageTitle("confirmEmail.pageTitle");

/** The page behind the link that a sign-up mails: a button confirms the mailbox. */
export default async function ConfirmEmailPage({ params }: { params: Promise<{ token: string }> }) {
  const t = await getTranslations("confirmEmail");
  const links = await getTranslations("cardLinks");
  const { token } = await params;
  const ctx = await publicPageContext();
  const found = await mailboxOf(ctx, { token }).catch(nullIfRefused);
  const auth = await getTranslations("auth");
  const signIn = (
    <LinkButton size="xl" href="/login">
      <LogInIcon className="rtl:-scale-x-100" aria-hidden />
      {auth("login")}
    </LinkButton>
  );
  const done = { title: t("doneTitle"), text: t("doneText") };
  const over = found ? done : { title: links("invalidTitle"), text: t("invalidText") };
  return (
    <AuthPage handle={ctx.actor?.handle}>
      <div className="[&>section]:py-0">
        {found?.proved !== false ? (
          <CustomerNotice icon={found ? CircleCheckIcon : LinkIcon} title={over.title} action={signIn}>
            {over.text}
          </CustomerNotice>
        ) : (
          <LinkScreen
            token={token}
            ask={{ title: t("title"), text: t("text") }}
            button={t("button")}
            done={done}
            after={signIn}
            action={confirmMailboxAction}
          />
        )}
      </div>
    </AuthPage>
  );
}
