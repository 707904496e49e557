"use client";

import { ArrowLeftIcon, LockKeyholeIcon, LogInIcon, SearchXIcon, UserXIcon } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { postSignOut } from "@/components/accounts/session/stored-session";
import { MessageScreen } from "@/components/errors/message-screen";
import { Button } from "@/components/ui/button";
import { Logo } from "@/components/ui/logo";

function Page({ tools, children }: { tools?: ReactNode; children: ReactNode }) {
  const t = useTranslations("common");
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex items-center justify-between gap-4 p-4 sm:px-8 sm:py-6">
        <p className="flex items-center gap-2.5 font-semibold">
          <Logo className="size-9" />
          <span className="max-sm:sr-only">{t("appName")}</span>
        </p>
        {tools}
      </header>
      <main className="flex flex-1 flex-col justify-center pb-16">{children}</main>
    </div>
  );
}

/** Shown when the customer has no card at the user's merchant. */
export function NotAssociated({ tools, home }: { tools?: ReactNode; home: string }) {
  const t = useTranslations("topup");
  return (
    <Page tools={tools}>
      <MessageScreen
        icon={UserXIcon}
        title={t("notAssociated")}
        description={t("notAssociatedText")}
        actions={
          <Button asChild size="xl">
            <Link href={home}>{t("goToTopup")}</Link>
          </Button>
        }
      />
    </Page>
  );
}

/** Shown when the link names no customer. */
export function NoCustomer({ tools, home }: { tools?: ReactNode; home: string }) {
  const t = useTranslations("topup");
  return (
    <Page tools={tools}>
      <MessageScreen
        icon={SearchXIcon}
        title={t("noCustomer")}
        description={t("noCustomerText")}
        actions={
          <Button asChild size="xl">
            <Link href={home}>{t("goToTopup")}</Link>
          </Button>
        }
      />
    </Page>
  );
}

/** Whether the browser's Back opens another page of this site that does not lead here again, as login would. */
function cameFromOurPage(): boolean {
  const { referrer } = document;
  if (!URL.canParse(referrer) || new URL(referrer).origin !== window.location.origin) return false;
  return !/^\/(?:login|session|topup)(?:\/|$)/.test(new URL(referrer).pathname);
}

/** Shown when the session ended while the page was open, or the role may not top up. */
export function AuthenticationRequired({
  tools,
  path,
  ended = false,
}: {
  tools?: ReactNode;
  /** The path that login returns to. */
  path: string;
  /** The session has ended; else it may be live, and Go to Login ends it. */
  ended?: boolean;
}) {
  const t = useTranslations("topup");
  const router = useRouter();
  const back = encodeURIComponent(path);
  return (
    <Page tools={tools}>
      <MessageScreen
        icon={LockKeyholeIcon}
        title={t("authenticationRequired")}
        description={t("authenticationRequiredText")}
        actions={
          <>
            {/* Full navigations, not Links: the server has to clear a cookie first. */}
            {ended ? (
              <Button asChild size="xl">
                <a href={`/session/ended?from=${back}`}>
                  <LogInIcon className="rtl:-scale-x-100" aria-hidden />
                  {t("goToLogin")}
                </a>
              </Button>
            ) : (
              <Button size="xl" onClick={() => postSignOut(`/login?returnUrl=${back}`)}>
                <LogInIcon className="rtl:-scale-x-100" aria-hidden />
                {t("goToLogin")}
              </Button>
            )}
            <Button
              variant="outline"
              size="xl"
              onClick={() => (cameFromOurPage() ? router.back() : window.location.assign("/"))}
            >
              <ArrowLeftIcon className="rtl:-scale-x-100" aria-hidden />
              {t("goBack")}
            </Button>
          </>
        }
      />
    </Page>
  );
}
