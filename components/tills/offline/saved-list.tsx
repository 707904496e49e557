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
import { openStore, type SettledEntry, type WaitingEntry } from "./store";

type Saved = Pick<SettledEntry, "key" | "n" | "code" | "shown" | "entry">;

const savedOf = ({ key, n, customerName, entry }: WaitingEntry): Saved => ({
  key,
  n,
  shown: { customerName, points: entry.sPoints, occurredAt: entry.dOccurredAt },
  entry,
});

/** The top-ups that this till kept: those that wait, those left to the owner, and those that the server refused. */
export function SavedList({ line, trigger }: { line: TillConnection; trigger: ReactNode }) {
  const t = useTranslations("offlineCounter");
  const locale = useLocale();
  const state = useSyncExternalStore(line.subscribe, line.state, line.state);
  const [waiting, setWaiting] = useState<Saved[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again whenever the number of those that wait changes
  useEffect(() => {
    const read = async () => setWaiting((await (await openStore()).getAll("waiting")).map(savedOf));
    void read();
  }, [state.waiting]);
  const settled = (wanted: SettledEntry["outcome"]) =>
    state.unread.filter(({ outcome }) => outcome === wanted);
  const [toOwner, refused] = [settled("inbox"), settled("refused")];
  // If the server will not take a top-up, the cashier must give it to the owner by hand.
  const byHand = refused.length > 0 || (waiting.length > 0 && state.stuck === "unpaired");
  const linesOf = (title: string, rows: readonly Saved[]) =>
    rows.length === 0 ? [] : ["", title, ...rows.flatMap((row) => linesOfRow(row, locale))];
  const save = () =>
    saveFile([t("listTitle"), ...linesOf(t("listWaiting"), waiting), ...linesOf(t("listRefused"), refused)]);
  return (
    <OpenedDialog button={trigger} className="sm:max-w-md">
      {(close) => (
        <>
          <DialogHeader title={t("listTitle")} text={t("listText")} />
          <Rows title={t("listWaiting")} rows={waiting} />
          <Rows title={t("listOwner")} rows={toOwner} />
          <Rows title={t("listRefused")} rows={refused} />
          {byHand && (
            <Button variant="outline" size="xl" onClick={save}>
              <DownloadIcon aria-hidden /> {t("saveFile")}
            </Button>
          )}
          {toOwner.length > 0 && (
            <Button size="xl" onClick={() => void line.read().then(close)}>
              {t("read")}
            </Button>
          )}
        </>
      )}
    </OpenedDialog>
  );
}

/** A row that an older version settled has nothing to show. */
function Rows({ title, rows }: { title: string; rows: readonly Saved[] }) {
  const locale = useLocale();
  const seen = rows.flatMap(({ key, shown }) => (shown ? [{ key, ...shown }] : []));
  if (seen.length === 0) return null;
  return (
    <section className="grid grid-cols-1 gap-1">
      <h3 className="font-semibold text-sm">{title}</h3>
      <ul className="divide-y rounded-xl border">
        {seen.map(({ key, customerName, points, occurredAt }) => (
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

function linesOfRow({ n, key, code, shown, entry }: Saved, locale: Locale): string[] {
  const when = shown && formatDateTime(new Date(shown.occurredAt), locale);
  const points = shown && formatPoints(shown.points, locale);
  const parts = [`${n}`, when, shown?.customerName, points, entry?.eTender, entry?.sSaleRef, code, key];
  return [parts.filter(Boolean).join(" · "), ...(entry ? [JSON.stringify(entry)] : [])];
}

function saveFile(lines: string[]): void {
  const link = document.createElement("a");
  // The byte-order mark makes editors read it as UTF-8.
  link.href = URL.createObjectURL(new Blob([`\uFEFF${lines.join("\r\n")}\r\n`], { type: "text/plain" }));
  link.download = "top-ups.txt";
  link.click();
  // Once the browser has begun to save it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
