import type { useTranslations } from "next-intl";
import { formatPoints } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { formatDateTime } from "@/lib/domain/time";
import type { SettledEntry } from "./store";
import { openStore } from "./store";

/**
 * Gives what the server did not take as a text file, for the owner: what the cashier reads of each, and the signed entry
 * behind it, by which it can be checked.
 */
export async function saveFile(
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
