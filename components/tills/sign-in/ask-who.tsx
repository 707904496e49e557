"use client";

import { KeyRoundIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { postSignOut, TOKEN_KEY } from "@/components/accounts/session/stored-session";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty";
import { Skeleton } from "@/components/ui/skeleton";
import { TILL_DOOR } from "@/lib/domain/paths";
import { type Cashier, oneSession, touchTill, writeCashier } from "../device/own-till";
import type { TillState } from "../device/use-own-till";
import { signInByPin } from "./till-api";
import { Notice, WhoIsThere } from "./who-is-there";

/** Leaves for the login form, where a password opens a session without the till. */
function toPassword(): void {
  const { pathname, search } = window.location;
  const from = pathname.startsWith("/login") ? "" : `&from=${encodeURIComponent(pathname + search)}`;
  postSignOut(`/login?password=1${from}`);
}

/** The title above AskWho: its question, or the reason why it cannot ask. */
export function AskTitle({ state: { kind } }: { state: TillState }) {
  const t = useTranslations("atTill");
  if (kind === "retired") return t("retiredTitle");
  return kind === "none" ? t("noneTitle") : t("title");
}

/** The faces of this till's employees. If this browser is not a till any more, it says what to do. */
export function AskWho({
  state,
  refresh,
  onSignedIn,
  onPairAgain,
}: {
  state: TillState;
  refresh: () => Promise<void>;
  onSignedIn: (cashier: Cashier) => void;
  /** Without it, the login page of tills is opened. */
  onPairAgain?: () => void;
}) {
  const t = useTranslations("atTill");
  if (state.kind === "loading") return <FacesSkeleton />;
  if (state.kind === "lost") {
    return (
      <NoFaces text={t("lost")}>
        <Button size="lg" onClick={() => void refresh()}>
          {t("again")}
        </Button>
        <Button size="lg" variant="outline" onClick={toPassword}>
          {t("password")}
        </Button>
      </NoFaces>
    );
  }
  if (state.kind !== "ready") {
    const retired = state.kind === "retired";
    return (
      <NoFaces more={<StillSaved />} text={retired ? t("retiredText") : t("noneText")}>
        <Button size="lg" onClick={toPassword}>
          {t("password")}
        </Button>
        <Button
          size="lg"
          variant="outline"
          onClick={onPairAgain ?? (() => window.location.assign(TILL_DOOR))}
        >
          {t("pairAgain")}
        </Button>
      </NoFaces>
    );
  }
  const { device, till } = state;
  return (
    <WhoIsThere
      faces={till.workers}
      locked={till.pinLocked}
      signIn={(workerId, pin) =>
        oneSession(async () => {
          const answer = await signInByPin(device, workerId, pin);
          if (answer.kind === "ok") {
            touchTill(answer.cashier.handle);
            writeCashier(answer.cashier);
            localStorage.setItem(TOKEN_KEY, answer.cashier.handle);
          }
          // Whether the till is locked now, or retired.
          if (answer.kind === "refused") void refresh();
          return answer;
        })
      }
      onSignedIn={onSignedIn}
      onPassword={toPassword}
    />
  );
}

/** Says that this former till still keeps unsent top-ups, and how they get to the owner. */
function StillSaved() {
  const t = useTranslations("atTill");
  const [saved, setSaved] = useState(false);
  useEffect(() => {
    const read = async () => setSaved((await (await import("../offline/store")).countWaiting()) > 0);
    // Without its store the browser has kept nothing.
    read().catch(() => undefined);
  }, []);
  return saved && <p className="mt-2 font-medium">{t("stillSaved")}</p>;
}

/** Why there are no faces, and what to do. */
function NoFaces({ text, more, children }: { text: string; more?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-4">
      <Notice>
        <p>{text}</p>
        {more}
      </Notice>
      {children}
    </div>
  );
}

function FacesSkeleton() {
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {["first", "second", "third"].map((key) => (
        <Skeleton key={key} className="h-32 rounded-xl" />
      ))}
    </div>
  );
}

/** Shown to a PIN session instead of a page that needs a password. */
export function NeedsPassword() {
  const t = useTranslations("atTill");
  return (
    <EmptyState
      icon={KeyRoundIcon}
      title={t("needsPassword")}
      description={t("needsPasswordText")}
      action={
        <Button size="lg" onClick={toPassword}>
          {t("password")}
        </Button>
      }
    />
  );
}
