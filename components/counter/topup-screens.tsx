"use client";

import { ArrowLeftIcon, LockKeyholeIcon, LogInIcon, SearchXIcon, UserXIcon } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
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

/** Shown when the session ended while the page was open, or the role may not top up. */
export function AuthenticationRequired({
  tools,
  path,
  ended = false,
}: {
  tools?: ReactNode;
  /** The path that login returns to. */
  path: string;
  ended?: boolean;
}) {
  const t = useTranslations("topup");
  const router = useRouter();
  const back = encodeURIComponent(path);
  // A link opened from a camera app has its own tab, without history.
  const goBack = () => (window.history.length > 1 ? router.back() : router.replace("/"));
  const login = ended ? `/session/ended?from=${back}` : `/login?returnUrl=${back}`;
  return (
    <Page tools={tools}>
      <MessageScreen
        icon={LockKeyholeIcon}
        title={t("authenticationRequired")}
        description={t("authenticationRequiredText")}
        actions={
          <>
            <Button asChild size="xl">
              {/* A full navigation, not a Link: the server may have to clear a cookie first. */}
              <a href={login}>
                <LogInIcon aria-hidden />
                {t("goToLogin")}
              </a>
            </Button>
            <Button variant="outline" size="xl" onClick={goBack}>
              <ArrowLeftIcon className="rtl:-scale-x-100" aria-hidden />
              {t("goBack")}
            </Button>
          </>
        }
      />
    </Page>
  );
}
