"use client";

import { ArrowLeftRightIcon, CircleAlertIcon, ClockIcon } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { postSignOut } from "@/components/accounts/session/stored-session";
import { ShopMark } from "@/components/layout/shop-mark";
import { Button } from "@/components/ui/button";
import { useNotify } from "@/components/ui/notify";
import { useLoaded } from "@/components/ui/use-loaded";
import { cn, noteStyle } from "@/components/ui/utils";
import { TILL_DOOR } from "@/lib/domain/paths";
import { formatDateTime, formatTime, qatarDay } from "@/lib/domain/time";
import type { Device } from "../device/device";
import { type OwnTill, oneSession, shopOf, writeCashier } from "../device/own-till";
import { useOwnTill } from "../device/use-own-till";
import { endSession } from "./till-api";
import { watchIdle } from "./watch-idle";

const SHIFT_PAGE = "/employee/shift";

/** The shop on its banknote, the cashier at this till and the state of its shift, with a button to change the cashier. */
export function TillBar({ name, till, onChange }: { name: string; till: OwnTill; onChange: () => void }) {
  const t = useTranslations("atTill");
  const locale = useLocale();
  const path = usePathname();
  const opened = till.shift && new Date(till.shift.openedAt);
  const isToday = opened && qatarDay(opened) === qatarDay(new Date());
  const shop = shopOf(till, locale);
  const { note } = shop;
  return (
    <section
      aria-label={t("cashier")}
      className="mb-4 overflow-hidden rounded-xl border bg-card shadow-card landscape-phone:mb-3 print:hidden"
    >
      <div
        className={cn(
          "flex items-center gap-3 bg-center bg-cover py-2 ps-3 pe-2 landscape-phone:py-1",
          note ? "text-white" : "text-muted-foreground",
        )}
        style={note && noteStyle(note)}
      >
        <ShopMark shop={shop} />
        <div className="min-w-0 flex-1 leading-tight">
          <p className="truncate text-xs">
            <bdi>{shop.name}</bdi>
          </p>
          <bdi className={cn("wrap-anywhere line-clamp-2 font-medium", !note && "text-foreground")}>
            {name}
          </bdi>
          <p className="flex flex-wrap gap-x-2 text-xs">
            <bdi className="truncate">{till.name}</bdi>
            {opened && (
              <span className="flex items-center gap-1 whitespace-nowrap">
                <ClockIcon className="size-3.5 shrink-0" aria-hidden />
                {t("shiftSince", { time: (isToday ? formatTime : formatDateTime)(opened, locale) })}
              </span>
            )}
          </p>
        </div>
        <Button variant="outline" className="text-foreground max-sm:px-3" onClick={onChange}>
          <ArrowLeftRightIcon className="max-sm:hidden" aria-hidden /> {t("change")}
        </Button>
      </div>
      {!opened && (
        <p
          role="status"
          className="flex min-h-11 flex-wrap items-center gap-x-2 border-warning/50 border-t bg-warning-soft px-3 font-medium text-sm text-warning-strong"
        >
          <CircleAlertIcon className="size-4 shrink-0" aria-hidden />
          <span className="flex-1">{t("noShift")}</span>
          {path !== SHIFT_PAGE && (
            <Link
              href={SHIFT_PAGE}
              className="inline-flex min-h-11 items-center underline underline-offset-4"
            >
              {t("openShift")}
            </Link>
          )}
        </p>
      )}
    </section>
  );
}

// If the server answers but does not take the waiting top-ups, the till stays open for at most this time.
const SEND_MS = 2 * 60_000;
const loadScreen = () => import("./lock-screen");

/** Answers whether no top-up that the cashier could send waits on this till. */
async function sent(device: Device, handle: string): Promise<boolean> {
  try {
    const { countWaiting } = await import("../offline/store");
    if ((await countWaiting()) === 0) return true;
    return await (await import("../offline/till-calls")).sendFirst(device, handle);
  } catch {
    // Without its store the browser has kept nothing. If the code did not load, the page of the next cashier sends them.
    return true;
  }
}

/** Removes the cashier's data from the till. If it fails, the next cashier's data replaces it. */
export const forget = () =>
  import("../offline/store").then(({ forgetCashier }) => forgetCashier()).catch(() => undefined);

/** Ends a till's session and asks who is there, by `change` or after the idle minutes of the merchant. */
export function useTillLock(handle: string | null) {
  const t = useTranslations("atTill");
  const notify = useNotify();
  const { state, refresh } = useOwnTill();
  const [locked, setLocked] = useState(false);
  const { part: screen, want } = useLoaded(loadScreen);
  useEffect(want, [want]);
  useEffect(() => {
    // Again, where it could not be loaded with the page.
    if (locked && !screen) want();
  }, [locked, screen, want]);
  const ending = useRef<Promise<boolean> | null>(null);
  /** The session that this till has ended. It must not be ended again while nobody is there. */
  const over = useRef<string | null>(null);
  /** The time since which waiting top-ups could not be sent, in milliseconds. 0: the last send worked. */
  const unsentSince = useRef(0);
  const end = useCallback(async (): Promise<boolean> => {
    if (handle === null || state.kind !== "ready") return false;
    if (handle === over.current) return true;
    const { device } = state;
    // A second call meanwhile gets the same answer. After any failure, the next call can still lock the till.
    ending.current ??= oneSession(async () => {
      const begun = Date.now();
      unsentSince.current = (await sent(device, handle)) ? 0 : unsentSince.current || begun;
      if (unsentSince.current !== 0 && begun - unsentSince.current <= SEND_MS) return false;
      const answer = await endSession(device, { handle });
      if (answer === "lost") {
        // The server was not reachable, so sending could not work. Try to send first again once it is back.
        unsentSince.current = 0;
        return false;
      }
      over.current = handle;
      writeCashier(null);
      // If the server no longer knows the till, only the cookie can end the session.
      if (answer === "refused") postSignOut(TILL_DOOR, handle);
      else await forget();
      return true;
    }).finally(() => {
      ending.current = null;
    });
    return ending.current;
  }, [handle, state]);
  const change = useCallback(async () => {
    setLocked(true);
    if (await end()) return refresh();
    setLocked(false);
    notify.error(t("changeLost"));
  }, [end, refresh, notify, t]);
  const idle = useCallback(async () => {
    const asksAlready = ending.current !== null || (handle !== null && handle === over.current);
    // Without a connection the till stays open: nobody could sign in.
    if (asksAlready || !navigator.onLine || !(await end())) return;
    setLocked(true);
    await refresh();
  }, [handle, end, refresh]);
  const minutes = handle !== null && state.kind === "ready" ? state.till.idleLockMinutes : 0;
  useEffect(
    () => (handle === null || minutes === 0 ? undefined : watchIdle(minutes, handle, idle)),
    [minutes, handle, idle],
  );
  return { state, refresh, locked, setLocked, screen, change };
}
