"use client";

import {
  ArrowLeftIcon,
  LockKeyholeIcon,
  LogInIcon,
  ScanQrCodeIcon,
  SearchXIcon,
  TriangleAlertIcon,
  UserXIcon,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { SessionWatch, SignedOutContext } from "@/components/accounts/session/session";
import { postSignOut, TOKEN_KEY } from "@/components/accounts/session/stored-session";
import { CustomerFrame, CustomerNotice } from "@/components/layout/customer-frame";
import { usePortalTheme } from "@/components/theme/providers";
import { PageTools } from "@/components/theme/switches";
import { Alert } from "@/components/ui/alert";
import { Button, LinkButton } from "@/components/ui/button";
import { useNotify } from "@/components/ui/notify";
import { PANELS } from "@/lib/domain/panels";
import type { Role } from "@/lib/domain/roles";
import { clearAnswers } from "./answer-cache";
import { MoneyDialog } from "./money-dialog";
import { type CounterSettingProps, useCounterSetting } from "./panel-counter";
import type { CounterCustomer } from "./types";
import { saveLiveCode } from "./use-open-customer";

const NOBODY = {
  notAssociated: { icon: UserXIcon, text: "notAssociatedText" },
  noCustomer: { icon: SearchXIcon, text: "noCustomerText" },
} as const;

/** Shown when the customer has no card at the user's merchant, and when the link names no customer. */
export function NobodyToServe({ reason, home }: { reason: keyof typeof NOBODY; home: string }) {
  const t = useTranslations("topup");
  const { icon, text } = NOBODY[reason];
  return (
    <CustomerFrame>
      <CustomerNotice
        icon={icon}
        title={t(reason)}
        action={
          <LinkButton size="xl" href={home}>
            {t("goToTopup")}
          </LinkButton>
        }
      >
        {t(text)}
      </CustomerNotice>
    </CustomerFrame>
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
  path,
  ended = false,
}: {
  path: string;
  /** The session has ended; else it may be live, and Go to Login ends it. */
  ended?: boolean;
}) {
  const t = useTranslations("topup");
  const router = useRouter();
  const back = encodeURIComponent(path);
  const login = (
    <>
      <LogInIcon className="rtl:-scale-x-100" aria-hidden />
      {t("goToLogin")}
    </>
  );
  const actions = (
    <>
      {/* Full navigations, not Links: the server has to clear a cookie first. */}
      {ended ? (
        <Button asChild size="xl">
          <a href={`/session/ended?from=${back}`}>{login}</a>
        </Button>
      ) : (
        <Button size="xl" onClick={() => postSignOut(`/login?returnUrl=${back}`)}>
          {login}
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
  );
  return (
    <CustomerFrame>
      <CustomerNotice icon={LockKeyholeIcon} title={t("authenticationRequired")} action={actions}>
        {t("authenticationRequiredText")}
      </CustomerNotice>
    </CustomerFrame>
  );
}

type Props = CounterSettingProps & {
  userName: string;
  customer: CounterCustomer;
  /** The details could not be fetched, so the customer is a placeholder or has the data of the link. */
  missing: boolean;
  merchantId: string | null;
  source: "apple" | "google" | null;
  liveCode: string | null;
  path: string;
};

/** "Ready for Topup" with the Add Cash dialog beside it. Closing it opens the top-up page of the role. */
export function TopupFlow(props: Props) {
  const { user, customer, missing, source, liveCode, path } = props;
  const t = useTranslations();
  const notify = useNotify();
  const router = useRouter();
  const panel = PANELS[user.role];
  const [open, setOpen] = useState(true);
  const [signedOut, setSignedOut] = useState<"no" | "ended" | "missing">("no");
  const onSignedOut = useCallback((ended: boolean) => {
    localStorage.removeItem(TOKEN_KEY);
    setSignedOut(ended ? "ended" : "missing");
  }, []);
  const setting = { ...useCounterSetting(props), onSignedOut };
  const onTokenRemoved = useCallback(() => setSignedOut("missing"), []);
  usePortalTheme(panel.theme);
  const announced = useRef(false);
  useEffect(() => {
    if (announced.current) return;
    announced.current = true;
    if (liveCode) saveLiveCode(customer.publicId, liveCode);
    if (source) notify.neutral(t(`counter.${source}Detected.topup`));
  }, [customer.publicId, liveCode, notify, source, t]);
  return (
    <SignedOutContext value={onSignedOut}>
      <SessionWatch handle={user.handle} onTokenRemoved={onTokenRemoved} />
      {signedOut !== "no" ? (
        <AuthenticationRequired path={path} ended={signedOut === "ended"} />
      ) : (
        <div data-theme={panel.theme} className="flex min-h-dvh flex-col">
          <header className="flex h-14 max-md:short:h-12 items-center justify-between gap-2 border-b bg-card px-2 md:h-16 md:px-3">
            <LinkButton variant="ghost" size="xl" href={panel.dashboard}>
              <ArrowLeftIcon className="size-5 rtl:-scale-x-100" aria-hidden />
              {t("topup.backToDashboard")}
            </LinkButton>
            <PageTools compact />
          </header>
          <Ready userName={props.userName} role={user.role} />
          {open && (
            <MoneyDialog
              beside
              mode="topup"
              setting={setting}
              customer={customer}
              liveCode={liveCode}
              merchantId={props.merchantId}
              notice={
                missing && (
                  <Alert variant="warning" className="px-3 py-2" icon={TriangleAlertIcon}>
                    {t("topup.detailsMissing")}
                  </Alert>
                )
              }
              onPosted={clearAnswers}
              onClose={() => {
                setOpen(false);
                router.push(panel.topup);
              }}
            />
          )}
        </div>
      )}
    </SignedOutContext>
  );
}

/** The user who tops up: beside the dialog, which covers 29 rem at the end, and on phones in a line above it. */
function Ready({ userName, role }: { userName: string; role: Role }) {
  const t = useTranslations();
  return (
    <main className="flex w-full max-w-md flex-1 flex-col items-center gap-2 p-6 text-center max-md:mx-auto max-md:flex-none max-md:gap-0 max-md:px-4 max-md:py-1.5 max-md:short:flex-row max-md:short:justify-center max-md:short:gap-2 max-md:short:py-0.5 md:ms-[max(0rem,calc(50%-28rem))] md:w-[calc(100%-29rem)] md:justify-center">
      <span className="mb-2 inline-flex size-16 items-center justify-center rounded-full bg-primary-soft text-primary-strong max-md:hidden">
        <ScanQrCodeIcon className="size-8" aria-hidden />
      </span>
      <h1 className="shrink-0 font-semibold text-2xl max-md:text-base max-md:leading-tight">
        {t("topup.ready")}
      </h1>
      <p className="wrap-anywhere max-w-full max-md:text-sm">
        <bdi className="font-medium">{userName}</bdi>
        <span className="text-muted-foreground">
          {" · "}
          <span className="max-md:hidden">{t(`roles.${role}.label`)}</span>
          <span className="md:hidden">{t(`roles.${role}.short`)}</span>
        </span>
      </p>
    </main>
  );
}
