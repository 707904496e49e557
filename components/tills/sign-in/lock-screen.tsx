"use client";

import { useLocale, useTranslations } from "next-intl";
import { Dialog as DialogPrimitive } from "radix-ui";
import { useEffect, useState } from "react";
import { BranchName } from "@/components/data/names";
import { ShopMark } from "@/components/layout/shop-mark";
import { Dialog, DialogPortal, DialogTitle } from "@/components/ui/dialog";
import { cn } from "@/components/ui/utils";
import { waveSeed, waveTile } from "@/lib/cards/model/waves";
import { formatTime } from "@/lib/domain/time";
import { type OwnTill, shopOf } from "../device/own-till";
import { type AskProps, AskTitle, AskWho } from "./ask-who";

function Clock() {
  const locale = useLocale();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time
      dateTime={now.toISOString()}
      className="ms-auto shrink-0 whitespace-nowrap font-semibold text-3xl tabular-nums tracking-tight landscape-phone:text-xl sm:text-4xl"
    >
      {formatTime(now, locale)}
    </time>
  );
}

function ShopOfTill({ till, hasNote }: { till: OwnTill; hasNote: boolean }) {
  const shop = shopOf(till, useLocale());
  return (
    <div className={cn("flex items-center gap-4 landscape-phone:gap-3", hasNote && "text-white")}>
      <ShopMark shop={shop} className="size-14 rounded-xl landscape-phone:size-9" />
      <div className="min-w-0">
        <p className="wrap-anywhere font-semibold text-2xl leading-tight landscape-phone:text-lg">
          <bdi>{shop.name}</bdi>
        </p>
        <p className={cn("text-sm", hasNote ? "text-white/90" : "text-muted-foreground")}>
          <bdi>{till.name}</bdi> · <BranchName of={till.branch} />
        </p>
      </div>
      <Clock />
    </div>
  );
}

/** Covers everything until somebody says who they are. What is behind it stays, and is out of reach. */
export function LockScreen(props: AskProps) {
  const { state } = props;
  const t = useTranslations("common");
  const till = state.kind === "ready" ? state.till : null;
  const note = till?.note;
  return (
    <Dialog open>
      <DialogPortal>
        <DialogPrimitive.Content
          aria-describedby={undefined}
          data-theme="blue"
          onEscapeKeyDown={(event) => event.preventDefault()}
          className="fixed inset-0 z-70 overflow-y-auto bg-background p-4 outline-none"
          style={
            note && {
              backgroundColor: note.colour,
              // The browser draws the waves, so that they need no connection.
              backgroundImage: `${waveTile(waveSeed(till.merchant.id))},linear-gradient(to bottom right,transparent,rgb(0 0 0/.26))`,
            }
          }
        >
          <div className="mx-auto flex min-h-full w-full max-w-2xl flex-col justify-center gap-5 py-6 landscape-phone:gap-2 landscape-phone:py-0 sm:[&_li]:w-48 sm:[&_ul]:flex sm:[&_ul]:flex-wrap sm:[&_ul]:justify-center">
            {till && <ShopOfTill till={till} hasNote={note !== undefined} />}
            <div className="flex flex-col gap-5 rounded-2xl bg-background p-4 sm:p-6 landscape-phone:gap-2 landscape-phone:p-3">
              <DialogTitle className="text-center text-xl tracking-tight landscape-phone:text-base">
                <AskTitle state={state} />
              </DialogTitle>
              <AskWho {...props} />
            </div>
            <p
              className={cn("text-center text-[0.6875rem]", note ? "text-white/90" : "text-muted-foreground")}
            >
              {t("appName")}
            </p>
          </div>
        </DialogPrimitive.Content>
      </DialogPortal>
    </Dialog>
  );
}
