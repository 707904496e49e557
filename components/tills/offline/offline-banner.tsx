"use client";

import { CloudOffIcon, InboxIcon, RotateCwIcon, SendIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useSyncExternalStore } from "react";
import type { CounterMode } from "@/components/counter/types";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/use-loaded";
import { formatDateTime } from "@/lib/domain/time";
import type { TillConnection } from "./connection";

const loadList = () => import("./saved-list");

/** The banner above the counter: the lost connection, the number of waiting top-ups, and those sent to the owner. */
export function OfflineBanner({ line, mode }: { line: TillConnection; mode: CounterMode }) {
  const t = useTranslations("offlineCounter");
  const state = useSyncExternalStore(line.subscribe, line.state, line.state);
  const { up, waiting, unread, stuck, outdated } = state;
  if (up && waiting === 0 && unread.length === 0 && !outdated) return null;
  const toOwner = unread.filter(({ outcome }) => outcome === "inbox").length;
  const refused = unread.length - toOwner;
  const quiet = waiting === 0 && unread.length === 0;
  const Icon = up ? (quiet ? RotateCwIcon : waiting > 0 ? SendIcon : InboxIcon) : CloudOffIcon;
  return (
    <Alert
      variant={up && unread.length === 0 && !stuck ? "default" : "warning"}
      role="status"
      className="mb-5 print:hidden"
      data-slot="offline"
      icon={Icon}
      title={!up && t("down")}
      textClass="flex flex-wrap items-start gap-x-6 gap-y-2"
    >
      <div className="min-w-0 flex-1 basis-64">
        {!up && <p>{t(mode === "topup" ? "downText" : "redeem")}</p>}
        {waiting > 0 && <p data-slot="waiting">{t("waiting", { count: waiting })}</p>}
        {waiting > 0 && stuck && <p>{t(stuck)}</p>}
        {toOwner > 0 && <p>{t("toOwner", { count: toOwner })}</p>}
        {refused > 0 && <p>{t("refusedCount", { count: refused })}</p>}
        {outdated && <p>{t("newVersion")}</p>}
      </div>
      {outdated && (
        <Button variant="outline" size="xl" onClick={() => window.location.reload()}>
          {t("reload")}
        </Button>
      )}
      {!quiet && (
        <DialogButton
          load={loadList}
          dialog={({ SavedList }, button) => <SavedList line={line} trigger={button} />}
          variant="outline"
          size="xl"
        >
          {t("show")}
        </DialogButton>
      )}
    </Alert>
  );
}

/** Above the recent list without a connection: from when its rows are, or that there are none of before. */
export const recentNote = (asOf: number | null) => <RecentNote asOf={asOf} />;

function RecentNote({ asOf }: { asOf: number | null }) {
  const t = useTranslations("offlineCounter.recent");
  const locale = useLocale();
  return (
    <p
      role="status"
      className="flex items-start gap-2 border-b p-4 text-muted-foreground text-sm last:border-b-0"
    >
      <CloudOffIcon className="mt-0.5 size-4 shrink-0" aria-hidden />
      {asOf === null ? t("nothing") : t("asOf", { time: formatDateTime(new Date(asOf), locale) })}
    </p>
  );
}
