"use client";

import {
  ArrowLeftIcon,
  LockKeyholeIcon,
  LogInIcon,
  type LucideIcon,
  SearchXIcon,
  UserXIcon,
} from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { postSignOut } from "@/components/accounts/session/stored-session";
import { Button } from "@/components/ui/button";
import { Logo } from "@/components/ui/logo";

/** A message in place of the page, with what to do. */
function Screen({
  icon: Icon,
  title,
  description,
  tools,
  children,
}: {
  icon: LucideIcon;
  title: string;
  description: string;
  /** Language and theme switches. */
  tools: ReactNode;
  /** The buttons. */
  children: ReactNode;
}) {
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
      <main className="flex flex-1 flex-col justify-center pb-16">
        <div className="mx-auto flex min-h-[60dvh] w-full max-w-md flex-col items-center justify-center gap-2 px-4 py-10 text-center">
          <span className="mb-3 inline-flex size-16 items-center justify-center rounded-full bg-primary-soft text-primary-strong">
            <Icon className="size-8" aria-hidden />
          </span>
          <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
          <p className="text-balance text-muted-foreground">{description}</p>
          <div className="mt-5 flex w-full flex-col justify-center gap-2 sm:flex-row">{children}</div>
        </div>
      </main>
    </div>
  );
}

const NOBODY = {
  notAssociated: { icon: UserXIcon, text: "notAssociatedText" },
  noCustomer: { icon: SearchXIcon, text: "noCustomerText" },
} as const;

/** Shown when the customer has no card at the user's merchant, and when the link names no customer. */
export function NobodyToServe({
  reason,
  tools,
  home,
}: {
  reason: keyof typeof NOBODY;
  tools: ReactNode;
  home: string;
}) {
  const t = useTranslations("topup");
  const { icon, text } = NOBODY[reason];
  return (
    <Screen icon={icon} title={t(reason)} description={t(text)} tools={tools}>
      <Button asChild size="xl">
        <Link href={home}>{t("goToTopup")}</Link>
      </Button>
    </Screen>
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
  tools: ReactNode;
  /** The path that login returns to. */
  path: string;
  /** The session has ended; else it may be live, and Go to Login ends it. */
  ended?: boolean;
}) {
  const t = useTranslations("topup");
  const router = useRouter();
  const back = encodeURIComponent(path);
  return (
    <Screen
      icon={LockKeyholeIcon}
      title={t("authenticationRequired")}
      description={t("authenticationRequiredText")}
      tools={tools}
    >
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
    </Screen>
  );
}
