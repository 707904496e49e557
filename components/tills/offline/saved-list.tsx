"use client";

import { DownloadIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { DialogHeader, OpenedDialog } from "@/components/ui/dialog";
import { formatPoints } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { formatDateTime } from "@/lib/domain/time";
import type { TillConnection } from "./connection";
import { openStore, type SettledEntry } from "./store";

type Shown = NonNullable<SettledEntry["shown"]> & { key: string };

/**
 * The top-ups that this till kept: those that wait, those left to the owner, and those that the server
 * refused.
 */
export function SavedList({ line, trigger }: { line: TillConnection; trigger: ReactNode }) {
  const t = useTranslations("offlineCounter");
  const locale = useLocale();
  const state = useSyncExternalStore(line.subscribe, line.state, line.state);
  const [waiting, setWaiting] = useState<Shown[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again whenever the number of those that wait changes
  useEffect(() => {
    let left = false;
    const read = async () => {
      const entries = await (await openStore()).getAll("waiting");
      if (left) return;
      setWaiting(
        entries.map(({ key, customerName, entry }) => ({
          key,
          customerName,
          points: entry.sPoints,
          occurredAt: entry.dOccurredAt,
        })),
      );
    };
    void read();
    return () => {
      left = true;
    };
  }, [state.waiting]);
  const settled = (outcome: SettledEntry["outcome"]) =>
    state.unread.flatMap((one) =>
      one.outcome === outcome && one.shown ? [{ ...one.shown, key: one.key }] : [],
    );
  const refused = state.unread.filter(({ outcome }) => outcome === "refused");
  // If the server will not take a top-up, the cashier must give it to the owner by hand.
  const byHand = refused.length > 0 || (waiting.length > 0 && state.stuck === "unpaired");
  return (
    <OpenedDialog button={trigger} className="sm:max-w-md">
      {(close) => (
        <>
          <DialogHeader title={t("listTitle")} text={t("listText")} />
          <Rows title={t("listWaiting")} rows={waiting} />
          <Rows title={t("listOwner")} rows={settled("inbox")} />
          <Rows title={t("listRefused")} rows={settled("refused")} />
          {byHand && (
            <Button variant="outline" size="xl" onClick={() => void saveFile(refused, t, locale)}>
              <DownloadIcon aria-hidden /> {t("saveFile")}
            </Button>
          )}
          {settled("inbox").length > 0 && (
            <Button size="xl" onClick={() => void line.read().then(close)}>
              {t("read")}
            </Button>
          )}
        </>
      )}
    </OpenedDialog>
  );
}

function Rows({ title, rows }: { title: string; rows: Shown[] }) {
  const locale = useLocale();
  if (rows.length === 0) return null;
  return (
    <section className="grid grid-cols-1 gap-1">
      <h3 className="font-semibold text-sm">{title}</h3>
      <ul className="divide-y rounded-xl border">
        {rows.map(({ key, customerName, points, occurredAt }) => (
          <li key={key} className="flex min-h-14 items-center gap-3 px-4 py-2">
            <span className="min-w-0 flex-1">
              <bdi className="wrap-anywhere block font-medium">{customerName}</bdi>
              <span className="block text-muted-foreground text-sm">
                {formatDateTime(new Date(occurredAt), locale)}
              </span>
            </span>
            <span className="shrink-0 font-semibold tabular-nums">{formatPoints(points, locale)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * Gives what the server did not take as a text file, for the owner: what the cashier reads of each, and the signed entry
 * behind it, by which it can be checked.
 */
async function saveFile(
  refused: readonly SettledEntry[],
  t: ReturnType<typeof useTranslations<"offlineCounter">>,
  locale: Locale,
): Promise<void> {
  const waiting = await (await openStore()).getAll("waiting");
  const line = (...parts: (string | number | undefined)[]) => parts.filter(Boolean).join(" · ");
  const lines = [
    t("listTitle"),
    ...(waiting.length > 0 ? ["", t("listWaiting")] : []),
    ...waiting.flatMap(({ n, customerName, entry }) => [
      line(
        `${n}`,
        formatDateTime(new Date(entry.dOccurredAt), locale),
        customerName,
        formatPoints(entry.sPoints, locale),
        entry.eTender,
        entry.sSaleRef,
      ),
      JSON.stringify(entry),
    ]),
    ...(refused.length > 0 ? ["", t("listRefused")] : []),
    ...refused.flatMap(({ n, code, key, shown, entry }) => [
      line(
        `${n}`,
        shown && formatDateTime(new Date(shown.occurredAt), locale),
        shown?.customerName,
        shown && formatPoints(shown.points, locale),
        code,
        key,
      ),
      ...(entry ? [JSON.stringify(entry)] : []),
    ]),
  ];
  const link = document.createElement("a");
  // The byte-order mark makes editors read it as UTF-8.
  link.href = URL.createObjectURL(new Blob([`\uFEFF${lines.join("\r\n")}\r\n`], { type: "text/plain" }));
  link.download = "top-ups.txt";
  link.click();
  // Once the browser has begun to save it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
