import type { CounterApi } from "@/components/counter/types";
import type { Locale } from "@/lib/domain/roles";
import { readDevice } from "../device/device";
import { readMark } from "../device/mark";
import { openConnection, type TillConnection } from "./connection";
import { callsOfTill } from "./counter-calls";
import { rewriteCustomers } from "./customers";
import { forgetEntryKey } from "./entry-key";
import { forgetTill } from "./forget";
import { followBuilds } from "./new-build";
import { OfflineBanner } from "./offline-banner";
import { type OfflineTexts, offlineWords } from "./offline-words";
import { recentNote } from "./recent-note";
import { keepShell } from "./shell";
import { tillCalls } from "./till-calls";
import { saveCashier } from "./till-record";

/** A till at its counter: its line, its calls with and without a connection, and what it shows. */
export type OpenTill = {
  line: TillConnection;
  api: (base: CounterApi, t: OfflineTexts, locale: Locale) => CounterApi;
  Banner: typeof OfflineBanner;
  recentNote: typeof recentNote;
  close: () => void;
};

/** Opens the till that this browser is, for the cashier with this session's handle; null where it has no key. */
export async function openTill(handle: string): Promise<OpenTill | null> {
  const device = await readDevice();
  if (!device) return null;
  const retired = readMark() === "retired";
  // A retired till keeps no new top-ups, but still sends those that it kept. So does a till whose store
  // fails.
  await (retired ? forgetTill() : saveCashier(handle)).catch(() => undefined);
  await forgetEntryKey((of) => of !== handle).catch(() => undefined);
  const line = openConnection(
    device.till.id,
    tillCalls(device.keys, async () => handle),
  );
  if (!retired) await rewriteCustomers().catch(() => undefined);
  // Without the shell the counter still works with a connection.
  if (!retired) keepShell(handle).catch(() => undefined);
  const stopFollowing = followBuilds(line.outdated);
  return {
    line,
    api: (base, t, locale) => (retired ? base : callsOfTill(base, device, line, offlineWords(t, locale))),
    Banner: OfflineBanner,
    recentNote,
    close: () => {
      line.close();
      stopFollowing();
    },
  };
}
